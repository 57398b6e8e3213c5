"""Derived views of NCCL jobs, each over a small job output."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from analyzer.options import Options
from analyzer.pipeline import run

_INIT = (
    "{node}:{pid}:{pid} [{dev}] NCCL INFO comm 0x1 rank {rank} nranks {n} cudaDev {dev} busId 7000 commId 0xfe"
    " - Init START"
)
_TIMEOUT = (
    "[rank{rank}]:[E917 09:36:52.4{rank}0000000 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective"
    " operation timeout: WorkNCCL(SeqNum={seq}, OpType={op}, NumelIn={numel}, NumelOut=8, Timeout(ms)=600000)"
    " ran for 600016 milliseconds"
)


def _frame(folder: Path, name: str, *lines: str) -> pl.DataFrame:
    (folder / "job.out").write_text("\n".join(lines) + "\n")
    return run([str(folder)], Options(anomaly=False)).store.frame(name)


def _timeout(rank: int, seq: int = 19, op: str = "ALLREDUCE", numel: int = 8) -> str:
    return _TIMEOUT.format(rank=rank, seq=seq, op=op, numel=numel)


def test_lines_of_interleaved_nodes_keep_their_writer(tmp_path: Path) -> None:
    lines = [f"gpu-0{n}:10{n}:10{n} [0] NCCL INFO Using network {'IB' if n else 'Socket'}" for n in (0, 1)]
    assert _frame(tmp_path, "nccl.network", *lines)["node"].to_list() == ["gpu-00", "gpu-01"]


def test_processes_take_their_rank_from_the_largest_communicator(tmp_path: Path) -> None:
    lines = [
        _INIT.format(node="gpu-01", pid=7, dev=0, rank=12, n=16),
        _INIT.format(node="gpu-01", pid=7, dev=0, rank=1, n=2),
    ]
    table = _frame(tmp_path, "nccl_processes", *lines)
    assert table.select("node", "pid", "rank", "started", "completed").rows() == [("gpu-01", 7, 12, 2, 0)]


def test_a_node_with_another_network_stands_beside_the_common_one(tmp_path: Path) -> None:
    lines = [
        "gpu-01:1:1 [0] NCCL INFO NET/IB : No device found.",
        "gpu-01:1:1 [0] NCCL INFO Using network Socket",
        "gpu-02:2:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:192.0.2.2<0>",
        "gpu-02:2:2 [0] NCCL INFO Using network IB",
    ]
    table = _frame(tmp_path, "nccl_nodes", *lines).sort("node")
    assert table.select("node", "network", "no_device", "common_network", "device_count").rows() == [
        ("gpu-01", "Socket", True, "IB", None),
        ("gpu-02", "IB", False, "Socket", 2),
    ]
    assert table["evidence"][0].to_list() == ["0:1:0", "0:2:0", "0:4:0"]


def test_a_setting_that_one_node_lacks_differs_from_the_majority(tmp_path: Path) -> None:
    lines = [f"gpu-0{n}:{n}:{n} [0] NCCL INFO Using network IB" for n in (1, 2, 3)]
    lines += [f"gpu-0{n}:{n}:{n} [0] NCCL INFO NCCL_PROTO set by environment to Simple" for n in (1, 2)]
    table = _frame(tmp_path, "nccl_settings", *lines)
    assert table.filter("differs").select("node", "value", "common_value").rows() == [("gpu-03", None, "Simple")]


def test_the_rank_without_a_time_out_is_silent(tmp_path: Path) -> None:
    lines = [_INIT.format(node="gpu-01", pid=50 + n, dev=n, rank=n, n=4) for n in range(4)]
    table = _frame(tmp_path, "rank_progress", *lines, "[rank2] step 17 loss 2.5", *(_timeout(n) for n in (0, 1, 3)))
    silent = table.filter(~pl.col("timed_out"))
    assert silent.select("rank", "node", "reporting", "silent", "last_step").rows() == [(2, "gpu-01", 3, 1, 17)]
    assert silent["evidence"][0].to_list() == ["0:5:0", "0:6:0", "0:7:0", "0:8:0"]


def test_a_rank_that_called_less_is_behind(tmp_path: Path) -> None:
    work = (
        "[rank{}]:[E917 09:36:52.5 a.cpp:1] [PG ID 0 PG GUID 0 Rank {}] Timeout at NCCL work: {},"
        " last enqueued NCCL work: {}, last completed NCCL work: 18."
    )
    lines = [work.format(n, n, 19 - (n == 1), 19 - (n == 1)) for n in range(3)]
    table = _frame(tmp_path, "rank_progress", *(_timeout(n, 19 - (n == 1)) for n in range(3)), *lines)
    assert table.select("rank", "behind").rows() == [(0, 0), (1, 1), (2, 0)]


def test_calls_are_held_against_the_majority_of_one_sequence_number(tmp_path: Path) -> None:
    table = _frame(tmp_path, "collective_calls", *(_timeout(n, numel=8 + (n == 3)) for n in range(4)))
    assert table.select("rank", "shape", "common_shape", "shapes").rows()[-1] == (3, "9", "8", 2)


def test_fingerprints_are_read_from_mismatch_reports(tmp_path: Path) -> None:
    line = (
        "[rank{0}]: RuntimeError: Detected mismatch between collectives on ranks. Rank {0} is running collective:"
        " CollectiveFingerPrint(SequenceNumber=7, OpType=ALLGATHER, TensorShape=[{1}, 2], TensorDtypes=Float"
    )
    table = _frame(tmp_path, "collective_calls", *(line.format(n, 4 + (n == 1)) for n in range(3)))
    odd = table.select("rank", "seq", "operation", "shape", "common_shape").rows()[1]
    assert odd == (1, 7, "ALLGATHER", "5, 2", "4, 2")


def test_the_rail_of_an_adapter_is_what_its_addresses_share(tmp_path: Path) -> None:
    line = (
        "gpu-0{0}:5:5 [6] misc/ibvwrap.cc:301 NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out, on"
        " dev mlx5_6:1, curr state INIT, next state RTR, local GID index 3, local GID ::ffff:10.126.{0}.2, remote GID"
        " ::ffff:10.{1}.9.2"
    )
    table = _frame(tmp_path, "nccl_qp_failures", line.format(3, 120), line.format(5, 126))
    assert table.select("rail", "crosses_rails").rows() == [("10.126", True), ("10.126", False)]


def test_versions_of_nodes_are_compared(tmp_path: Path) -> None:
    lines = [f"gpu-0{n}:{n}:{n} [0] NCCL INFO NCCL version 2.2{1 + (n == 3)}.5+cuda12.4" for n in (1, 2, 3)]
    table = _frame(tmp_path, "nccl_versions", *lines)
    assert table.filter(pl.col("version") != pl.col("common_version")).select("node", "versions").rows() == [
        ("gpu-03", 2)
    ]


def test_versions_of_one_communicator_belong_together(tmp_path: Path) -> None:
    lines = [
        "gpu-01:1:1 [0] NCCL INFO NCCL version 2.27.7+cuda12.9",
        "gpu-02:2:2 [0] NCCL INFO NCCL version 2.21.5+cuda12.4",
        "gpu-03:3:3 [0] NCCL INFO NCCL version 2.27.7+cuda12.9",
        _INIT.format(node="gpu-01", pid=1, dev=0, rank=0, n=3),
        _INIT.format(node="gpu-02", pid=2, dev=0, rank=1, n=3),
    ]
    table = _frame(tmp_path, "nccl_versions", *lines).sort("node")
    assert table.select("node", "version", "common_version", "together").rows() == [
        ("gpu-01", "2.27.7", "2.27.7", True),
        ("gpu-02", "2.21.5", "2.27.7", True),
        ("gpu-03", "2.27.7", "2.27.7", False),
    ]


def test_ranks_on_one_gpu_are_told_apart_by_their_hosts(tmp_path: Path) -> None:
    lines = [
        _INIT.format(node="pod-a", pid=7, dev=0, rank=0, n=2),
        _INIT.format(node="pod-b", pid=7, dev=0, rank=1, n=2),
        "pod-a:7:9 [0] init.cc:1 NCCL WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 7000",
    ]
    table = _frame(tmp_path, "nccl_duplicate_gpus", *lines)
    assert table.select("line", "host", "other_host", "different_hosts").rows() == [(3, "pod-a", "pod-b", True)]


_GAVE_UP = (
    "gpu-0{node}:1:2 [0] transport/net_ib.cc:1900 NCCL WARN NET/IB : Got completion from peer 192.0.2.{peer}<4> with"
    " status=12 opcode=129 len=0 vendor err 129 (Send)"
)
_ANNOUNCED = "gpu-0{node}:1:1 [0] NCCL INFO Bootstrap : Using eth0:192.0.2.{node}<0>"


def test_the_node_at_an_end_of_every_pair_is_common(tmp_path: Path) -> None:
    lines = [_ANNOUNCED.format(node=n) for n in (1, 2, 3)]
    lines += [_GAVE_UP.format(node=n, peer=p) for n, p in ((1, 3), (2, 3), (3, 1))]
    table = _frame(tmp_path, "nccl_transfer_pairs", *lines).sort("node")
    assert table.select("node", "pairs", "involved", "common", "spread").rows() == [
        ("gpu-01", 2, 1, False, False),
        ("gpu-02", 2, 1, False, False),
        ("gpu-03", 2, 2, True, False),
    ]


def test_pairs_without_a_node_in_common_are_spread(tmp_path: Path) -> None:
    lines = [_GAVE_UP.format(node=n, peer=p) for n, p in ((1, 3), (2, 4))]
    assert _frame(tmp_path, "nccl_transfer_pairs", *lines)["spread"].to_list() == [True] * 4


def test_adapters_taken_only_because_their_number_continues_a_named_one(tmp_path: Path) -> None:
    lines = [
        "gpu-01:1:1 [0] NCCL INFO NCCL_IB_HCA set to mlx5_0,mlx5_1:1",
        "gpu-01:1:1 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_10:1/IB ; OOB eth0:192.0.2.1<0>",
        "gpu-02:1:1 [0] NCCL INFO NCCL_IB_HCA set to mlx5",
        "gpu-02:1:1 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_10:1/IB ; OOB eth0:192.0.2.2<0>",
    ]
    table = _frame(tmp_path, "nccl_hca_choices", *lines).sort("node")
    assert table.select("node", "beyond").rows() == [("gpu-01", "mlx5_10"), ("gpu-02", None)]


def test_bus_bandwidth_stands_beside_adapters_times_rate(tmp_path: Path) -> None:
    devices = [f"#  Rank  {n} Group  0 Pid 5 on gpu-0{1 + n // 2} device  {n % 2} [0000:1b:00] H100" for n in range(4)]
    adapters = " ".join(f"[{n}]mlx5_{n}:1/IB" for n in range(4))
    lines = [
        *devices,
        "gpu-01:5:5 [0] NCCL INFO NET/IB: [0] mlx5_0:uverbs0:1/IB provider=Mlx5 speed=400000 context=0x1 ar=1",
        f"gpu-01:5:5 [0] NCCL INFO NET/IB : Using {adapters} [RO]; OOB eth0:192.0.2.1<0>",
        "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong",
        "  8589934592 2147483648 float sum -1 409044 21.00 30.00 0 409044 21.00 31.50 0",
    ]
    table = _frame(tmp_path, "nccl_bandwidths", *lines)
    assert table.select("line", "busbw_gb_s", "nodes", "adapters", "expected_gb_s", "share").rows() == [
        (8, 31.5, 2, 2, 100.0, 0.315)
    ]


def test_a_rank_has_its_gpu_adapters_and_transports(tmp_path: Path) -> None:
    head = "gpu-01:7:7 [1] NCCL INFO "
    lines = [
        _INIT.format(node="gpu-01", pid=7, dev=1, rank=1, n=16),
        f"{head}NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_3:1/IB [RO]; OOB eth0:192.0.2.2<0>",
        f"{head}Channel 00/0 : 1[1] -> 9[1] [send] via NET/IB/1/GDRDMA",
        f"{head}Channel 01/0 : 9[1] -> 1[1] [receive] via NET/IB/1(2)",
        f"{head}Channel 00/0 : 1[1] -> 2[2] via P2P/CUMEM/read",
        f"{head}Channel 01/0 : 1[1] -> 0[0] via SHM/direct/direct",
        f"{head}Channel 02/0 : 1[1] -> 0[0] via SHM/direct/direct",
    ]
    (row,) = _frame(tmp_path, "nccl_ranks", *lines).to_dicts()
    assert (row["node"], row["pid"], row["rank"], row["cuda_device"], row["nics"], row["networks"]) == (
        "gpu-01", 7, 1, 1, ["mlx5_3:1"], ["IB"],
    )  # fmt: skip
    counts = ("network_channels", "gdr_channels", "relayed_channels", "p2p_channels", "shm_channels")
    assert [row[name] for name in counts] == [2, 1, 1, 1, 2]


def test_a_rank_shows_how_far_it_came(tmp_path: Path) -> None:
    work = "[rank1]:[E917 09:36:52.4 P.cpp:1] [PG 0 Rank 1] Timeout at NCCL work: 19, last enqueued NCCL work: 21, "
    lines = [
        *(_INIT.format(node="gpu-01", pid=7 + rank, dev=rank, rank=rank, n=2) for rank in range(2)),
        _timeout(1),
        f"{work}last completed NCCL work: 18.",
    ]
    table = _frame(tmp_path, "nccl_ranks", *lines).sort("rank")
    assert table.select("rank", "enqueued", "completed").rows() == [(0, None, None), (1, 21, 18)]
