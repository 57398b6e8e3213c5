from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.sources.names import NodeNames, in_file_name, looks_like_node, usable
from analyzer.sources.nodes import Attribution, Clues, attribute


def node_of(path: str, **clues: object) -> Attribution:
    found, _ = attribute([Clues(path=path, **clues)])  # type: ignore[arg-type]
    return found[0]


@pytest.mark.parametrize(
    ("path", "node"),
    [
        ("ibstat-gpu025.txt", "gpu025"),
        ("ibstat-gpu0003.txt", "gpu0003"),
        ("ibstat-gpu-b02.txt", "gpu-b02"),
        ("slurmd-gpu-c03.log", "gpu-c03"),
        ("slurmd-gpu-v01.log", "gpu-v01"),
        ("slurmd-gpu-t03.log.1.gz", "gpu-t03"),
        ("munged-gpu-d03.log", "gpu-d03"),
        ("dmesg-gpu-h04.txt", "gpu-h04"),
        ("dmesg-migpu1.txt", "migpu1"),
        ("gpu-m01.txt", "gpu-m01"),
        ("gpu-a05-smi.csv", "gpu-a05"),
        ("srv-n02.log", "srv-n02"),
        ("journal-head01.txt", "head01"),
        ("ps-gpu-j02.txt", "gpu-j02"),
        ("gres-gpu-u03.conf", "gpu-u03"),
        ("nccl-dgx-e2.log", "dgx-e2"),
        ("nid00415-ecc.txt", "nid00415"),
        ("pod-mt-t4-worker-0.log", "mt-t4-worker-0"),
        ("perfquery-gpu0009.txt", "gpu0009"),
        ("mlxlink-gpu0011-mlx5_2.json", "gpu0011"),
        ("fabric/mlxlink-dl-n07.txt", "dl-n07"),
        ("2026-03-09-gpu017-dmesg.txt", "gpu017"),
        ("gpu01.cluster.example.com-dmesg.log", "gpu01"),
        ("dmesg-hpc-n125.txt", "hpc-n125"),
        ("dmesg-ib-n145.txt", "ib-n145"),
        ("dmesg-k8s-n108.txt", "k8s-n108"),
        ("nvidia-smi-a100-node-03.txt", "a100-node-03"),
        ("dmesg-ip-10-0-1-17.log", "ip-10-0-1-17"),
        ("hgx-06_dmesg_20260309T0441.txt", "hgx-06"),
    ],
)
def test_a_file_name_names_its_node(path: str, node: str) -> None:
    found = node_of(path)
    assert (found.node, found.why.split()[0]) == (node, "file")


@pytest.mark.parametrize(
    "path",
    [
        "dmesg.txt",
        "dmesg-T.txt",
        "dmesg-iso.txt",
        "kern.log.1",
        "messages-20260301.gz",
        "slurm-771204.out",
        "slurm/slurmctld.log",
        "fabric/iblinkinfo.txt",
        "fabric/opensm-sm2.log",
        "ibqueryerrors-0300.txt",
        "ibqueryerrors-suppressed.txt",
        "mlxlink-switch-1-7.txt",
        "mlxlink-host.txt",
        "ethtool-S-ens5np0.txt",
        "ethtool-S-before.txt",
        "mlnx_qos-ens108np0.txt",
        "nvlink-e-1000.txt",
        "nvlink-e-day1.txt",
        "nvidia-smi-topo.txt",
        "nvidia-smi-gpu3.txt",
        "nvidia-smi-h100.txt",
        "sdiag-1002.txt",
        "train-8gpu.log",
        "train-64ranks.log",
        "train-15520.log",
        "nccl-rank3.log",
        "nccl_trace_rank_12",
        "facility/humidity-R07.csv",
        "optics/LK-0212-F01_1310.txt",
        "torchrun.log",
        "job/slurm-9001.out",
        "INC-20260309-cn012/slurm/sinfo.txt",
        "r07-r08-collect/slurm/sdiag.txt",
        "hpc2-case-0091/fabric/sminfo.txt",
        "collect-20260314/fabric/saquery.txt",
        "incident_2026-06-22_dl/slurm/squeue.txt",
        "maint-window-64n/fabric/change-ticket.txt",
        "before/dmesg.txt",
        "k8s/describe-pod.txt",
        "nvlink-e-1-2.txt",
        "nvidia-smi-h100-535.txt",
        "run1/dmesg.txt",
    ],
)
def test_a_path_that_names_no_node_stays_without(path: str) -> None:
    assert node_of(path) == Attribution()


@pytest.mark.parametrize(
    ("path", "node", "why"),
    [
        ("top/nodes/cn012/dmesg.txt", "cn012", "folder nodes/cn012"),
        ("x.tar.gz!top/nodes/cn012/var/log/messages", "cn012", "folder nodes/cn012"),
        ("nodes/alpha/dmesg.txt", "alpha", "folder nodes/alpha"),
        ("gpu-017/dmesg.txt", "gpu-017", "folder gpu-017"),
        ("gpu-017/var/log/messages", "gpu-017", "folder gpu-017"),
        ("gpu-017.tar.gz!var/log/messages", "gpu-017", "folder gpu-017"),
        ("bundle.zip!hgx-06/sos_commands/kernel/dmesg", "hgx-06", "folder hgx-06"),
        (
            "sosreport-gpu017-44182-2026-03-09-abcdefg/sos_commands/kernel/dmesg",
            "gpu017",
            "collection sosreport-gpu017-44182-2026-03-09-abcdefg",
        ),
    ],
)
def test_a_folder_names_the_node(path: str, node: str, why: str) -> None:
    assert node_of(path) == Attribution(node, why)


@pytest.mark.parametrize(
    ("head", "node", "why"),
    [
        (b"[root@gpu-017 ~]# nvidia-smi\n", "gpu-017", "prompt in line 1"),
        (b"[mlee@login01 ~]$ sbatch x.sh\n", "login01", "prompt in line 1"),
        (b"date\nroot@gpu-017:~# dmesg -T\n", "gpu-017", "prompt in line 2"),
        (b"(base) root@gpu-017:/tmp$ ls\n", "gpu-017", "prompt in line 1"),
        (b"Linux gpu-017 5.15.0-105-generic #115-Ubuntu SMP\n", "gpu-017", "header in line 1"),
        (b"# Hostname: gpu-017.example.com\n", "gpu-017", "header in line 1"),
    ],
)
def test_a_header_or_prompt_names_the_node(head: bytes, node: str, why: str) -> None:
    assert node_of("nodes/other01/out.txt", head=head) == Attribution(node, why)


@pytest.mark.parametrize(
    "head",
    [b"NodeName=gpu-u03 Name=gpu File=/dev/nvidia0\n", b"user@localhost:~# ls\n", b"mail root@gpu-017 about it\n"],
)
def test_other_lines_name_no_node(head: bytes) -> None:
    assert node_of("out.txt", head=head) == Attribution()


def test_what_the_dump_states_wins_over_everything() -> None:
    found = node_of("nodes/cn001/x.txt", stated="cn007", head=b"[root@cn002 ~]# x\n", host_lines={"cn003": 99})
    assert found == Attribution("cn007", "stated by the dump")


def test_the_host_column_wins_over_the_folder() -> None:
    found = node_of("nodes/cn001/messages", host_lines={"cn003": 99, "cn004": 1})
    assert found == Attribution("cn003", "host column (99 of 100 lines)")


@pytest.mark.parametrize(
    "host_lines", [{"cn003": 50, "cn004": 50}, {"localhost": 100}, {"10.0.0.1": 100}, {"cn003": 1}]
)
def test_a_host_column_without_a_clear_majority_names_no_node(host_lines: dict[str, int]) -> None:
    assert node_of("messages", host_lines=host_lines) == Attribution()


def test_short_and_full_name_are_one_node() -> None:
    found, names = attribute(
        [
            Clues("a/messages", host_lines={"cn003.example.com": 60, "cn003": 40}),
            Clues("b/ibstat-cn003.txt"),
            Clues("c/dmesg.txt", stated="CN003.EXAMPLE.COM"),
        ]
    )
    assert [attribution.node for attribution in found] == ["cn003", "cn003", "cn003"]
    assert names.canonical("cn003.example.com.") == "cn003"


def test_the_same_short_name_in_two_domains_is_two_nodes() -> None:
    names = NodeNames(["n1.red.example", "n1.blue.example", "n2.red.example"])
    assert (names.canonical("n1.red.example"), names.canonical("n2.red.example")) == ("n1.red.example", "n2")


def test_an_address_is_never_shortened() -> None:
    assert NodeNames(["10.0.0.1"]).canonical("10.0.0.1") == "10.0.0.1"


def test_a_node_known_from_elsewhere_is_found_in_a_file_name() -> None:
    found, _ = attribute([Clues("dmesg-alpha.txt"), Clues("messages", host_lines={"alpha": 9})])
    assert found[0] == Attribution("alpha", "file name dmesg-alpha.txt")


def test_the_longest_known_node_counts() -> None:
    found, _ = attribute([Clues("dmesg-gpu-a.txt")], known=["gpu", "gpu-a"])
    assert found[0].node == "gpu-a"


def test_a_file_name_with_two_known_nodes_names_none() -> None:
    found, _ = attribute([Clues("ping-alpha-beta.txt")], known=["alpha", "beta"])
    assert found[0].node is None


def test_names_of_traces_are_no_nodes() -> None:
    assert node_of("lk-0310-f02.sor", families=frozenset({"otdr"})) == Attribution()


def test_the_name_of_the_input_counts_when_nothing_else_names_a_node() -> None:
    found, _ = attribute([Clues("var/log/messages"), Clues("slurm/sinfo.txt")], bundle_name="gpu-017")
    assert found == (Attribution("gpu-017", "name of the input gpu-017"), Attribution())


@pytest.mark.parametrize("name", ["localhost", "10.1.2.3", "fe80::1", "", "a b", "x" * 300, "kernel", "(none)", "12"])
def test_what_cannot_be_a_node_is_not_usable(name: str) -> None:
    assert usable(name) is None


@given(st.text(max_size=80))
def test_any_text_is_judged_without_an_error(text: str) -> None:
    assert in_file_name(text) is None or looks_like_node(in_file_name(text) or "")
    assert attribute([Clues(text, head=text.encode("utf-8", "replace"), host_lines={text: 3})])[0]
