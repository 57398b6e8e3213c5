"""``nvidia-smi`` in its forms: the full log, the table, CSV, UUID and NVLink lists, the topology matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.tables import Row
from parsers import gpu_topology, nvidia_smi, nvidia_smi_csv, nvidia_smi_q, nvidia_smi_table, nvlink

LOG = """\
==============NVSMI LOG==============

Timestamp                                 : Wed Oct 14 11:00:09 2026
Driver Version                            : 550.90.07

Attached GPUs                             : 2
GPU 00000000:1B:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    GPU UUID                              : GPU-11112222-3333-4444-5555-666677778888
    Clocks Event Reasons
        Idle                              : Not Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
            HW Power Brake Slowdown       : Not Active
    Clocks Event Reasons Counters
        SW Power Capping                  : 1234 us
    ECC Errors
        Volatile
            SRAM Correctable              : 0
            SRAM Uncorrectable Parity     : 1
            SRAM Uncorrectable SEC-DED    : 2
            DRAM Uncorrectable            : 4
    Remapped Rows
        Pending                           : Yes
        Remapping Failure Occurred        : No
    Temperature
        GPU Current Temp                  : 88 C
        GPU T.Limit Temp                  : -1 C
GPU 00000000:43:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    GPU UUID                              : GPU-00000000-0000-0000-0000-000000000000
    Fan Speed                             : N/A"""

TABLE = """\
| NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   3  NVIDIA H100 80GB HBM3          On  |   00000000:4C:00.0 Off |                    2 |
| ERR!  27C    P0             72W /  700W |       1MiB /  81559MiB |     37%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+

+-----------------------------------------------------------------------------------------+
| Processes:                                                                              |
|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
|=========================================================================================|
|    3   N/A  N/A    211327      C   python train.py                             70416MiB |
+-----------------------------------------------------------------------------------------+"""


def lines(text: str) -> list[bytes]:
    """Lines of a record as the scan hands them over."""
    return [line.encode() for line in text.split("\n")]


def of(rows: Sequence[Row], table: str) -> list[Any]:
    """Rows of one table."""
    return [row for row in rows if row.table == table]


def test_the_log_gives_one_row_a_gpu() -> None:
    first = of(nvidia_smi_q.read(lines(LOG), 11), "gpus")[0]
    assert (first.line, dict(first.values)) == (
        17,
        {
            "gpu": "0000:1b:00.0",
            "uuid": "GPU-11112222-3333-4444-5555-666677778888",
            "index": 0,
            "label": "GPU 0",
            "name": "NVIDIA H100 80GB HBM3",
            "driver": "550.90.07",
            "listing": "query",
            "sampled_s": 1791975609.0,
            "idle": False,
            "hw_slowdown": True,
            "hw_thermal_slowdown": True,
            "hw_power_brake": False,
            "volatile_corrected": 0,
            "volatile_uncorrected": 7,
            "volatile_sram_uncorrected": 3,
            "remap_pending": True,
            "remap_failure": False,
            "temperature_c": 88.0,
            "temperature_margin_c": -1.0,
        },
    )


def test_a_masked_uuid_and_an_unsupported_value_are_unknown() -> None:
    second = of(nvidia_smi_q.read(lines(LOG), 1), "gpus")[1]
    assert "uuid" not in second.values and "fan_failed" not in second.values


def test_each_telling_line_of_the_log_is_cited_on_its_own() -> None:
    facts = of(nvidia_smi_q.read(lines(LOG), 1), "gpu_facts")
    assert [(row.line, row.values["value"]) for row in facts if row.values["fact"] == "remap_pending"] == [(24, "Yes")]


def test_a_log_of_some_gpus_gives_no_index() -> None:
    alone = LOG.replace(
        "Attached GPUs                             : 2", "Attached GPUs                             : 8"
    )
    assert "index" not in of(nvidia_smi_q.read(lines(alone), 1), "gpus")[0].values


def test_the_table_is_read_from_its_three_lines_a_gpu() -> None:
    (gpu,) = of(nvidia_smi_table.read(lines(TABLE), 5), "gpus")
    assert (gpu.line, dict(gpu.values)) == (
        11,
        {
            "gpu": "0000:4c:00.0",
            "index": 3,
            "label": "GPU 3",
            "name": "NVIDIA H100 80GB HBM3",
            "driver": "550.90.07",
            "listing": "table",
            "persistence": True,
            "volatile_uncorrected": 2,
            "fan_failed": True,
            "temperature_c": 27.0,
            "pstate": "P0",
            "power_w": 72.0,
            "power_limit_w": 700.0,
            "memory_used_mib": 1.0,
            "memory_total_mib": 81559.0,
            "utilization_pct": 37.0,
            "mig": "Disabled",
        },
    )


def test_processes_of_the_table_name_their_gpu() -> None:
    (process,) = of(nvidia_smi_table.read(lines(TABLE), 1), "gpu_processes")
    assert (process.line, dict(process.values)) == (
        16,
        {
            "gpu": "0000:4c:00.0",
            "label": "GPU 3",
            "pid": 211327,
            "type": "C",
            "process": "python train.py",
            "memory_mib": 70416.0,
        },
    )


def test_csv_columns_are_found_by_their_names() -> None:
    data = (
        b"timestamp, index, temperature.gpu, clocks.sm [MHz], clocks_throttle_reasons.active\n"
        b"2026/10/14 11:00:09.500, 5, 66, 1755 MHz, 0x0000000000000048\n"
    )
    (row,) = nvidia_smi_csv.parse(data, "x").rows
    assert (row.line, dict(row.values)) == (
        2,
        {
            "listing": "csv",
            "sampled_s": 1791975609.5,
            "index": 5,
            "label": "GPU 5",
            "temperature_c": 66.0,
            "sm_clock_mhz": 1755.0,
            "idle": False,
            "sw_power_cap": False,
            "hw_slowdown": True,
            "sw_thermal_slowdown": False,
            "hw_thermal_slowdown": True,
            "hw_power_brake": False,
        },
    )


def test_a_line_of_the_csv_with_other_columns_is_a_problem() -> None:
    dump = nvidia_smi_csv.parse(b"index, pstate, temperature.gpu\n0, P0\n", "x")
    assert [(problem.line, problem.count) for problem in dump.problems] == [(2, 1)]


def test_states_and_counters_of_links_are_told_apart() -> None:
    text = (
        "GPU 3: NVIDIA A100-SXM4-80GB (UUID: GPU-a3c0ffee-0000-4000-8000-000000000003)\n"
        "\t Link 0: 25 GB/s\n\t Link 1: <inactive>\n\n\t Link 7: CRC FLIT Errors: 490123"
    )
    links = of(nvlink.read(lines(text), 40), "gpu_nvlinks")
    assert [
        (row.line, row.values["nvlink"], row.values.get("active"), row.values.get("counter"), row.values.get("errors"))
        for row in links
    ] == [(41, 0, True, None, None), (42, 1, False, None, None), (44, 7, None, "crc_flit", 490123)]


def test_a_gpu_whose_links_are_all_inactive_says_so() -> None:
    text = (
        "GPU 6: NVIDIA A100-SXM4-80GB (UUID: GPU-a6c0ffee-0000-4000-8000-000000000006)\n"
        "NVML: Unable to retrieve NVLink information as all links are inactive"
    )
    (link,) = of(nvlink.read(lines(text), 1), "gpu_nvlinks")
    assert (link.line, link.values["label"], link.values["active"]) == (2, "GPU 6", False)


def test_the_topology_names_the_path_of_every_pair() -> None:
    text = "\t\x1b[4mGPU0\tGPU1\tNIC0\tCPU Affinity\x1b[0m\nGPU0\t X \tNV18\tPXB\t0-47\nNIC0\tPXB\tSYS\t X \t"
    rows = gpu_topology.read(lines(text), 1)
    assert [
        (r.line, r.values["device"], r.values["peer"], r.values["path"], r.values.get("nvlinks")) for r in rows
    ] == [
        (2, "GPU0", "GPU1", "NV18", 18),
        (2, "GPU0", "NIC0", "PXB", None),
        (3, "NIC0", "GPU0", "PXB", None),
        (3, "NIC0", "GPU1", "SYS", None),
    ]


@pytest.mark.parametrize("text", [LOG, TABLE, "[root@gpu-017 ~]# nvidia-smi\nNo devices were found\n"])
def test_output_of_the_tool_is_recognised(text: str) -> None:
    found = nvidia_smi.sniff(text.encode(), "x.txt")
    assert found is not None and found.score >= 80


def test_other_text_is_not_claimed() -> None:
    assert nvidia_smi.sniff(b"GPU temperatures look fine today\n", "nvidia-smi.txt") is None


@pytest.mark.parametrize("reader", [nvidia_smi_q, nvidia_smi_table, nvlink, gpu_topology])
@given(noise=st.lists(st.binary(max_size=80), min_size=1, max_size=12), at=st.integers(0, 30))
def test_any_lines_are_read_without_an_error(reader: Any, noise: list[bytes], at: int) -> None:
    sample = lines(TABLE if reader is nvidia_smi_table else LOG)
    damaged = [*sample[:at], *(line.replace(b"\n", b" ") for line in noise), *sample[at:]]
    rows = reader.read(damaged, 1)
    assert all(1 <= row.line <= len(damaged) for row in rows)


@given(noise=st.binary(max_size=300))
def test_any_bytes_are_read_as_csv_without_an_error(noise: bytes) -> None:
    data = b"index, pstate, temperature.gpu\n" + noise
    rows = nvidia_smi_csv.parse(data, "x").rows
    assert all(1 <= row.line <= data.count(b"\n") + 1 for row in rows)
