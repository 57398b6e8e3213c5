"""The output of one large training job in one file: 1,024 ranks interleaved, one of which loses its GPU.

python -m tests.bench.job_log FILE [--ranks 1024] [--size-mb 100] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

PER_NODE: Final = 8
WINDOW: Final = 4096
"""Lines of different ranks overtake one another within so many."""
TIMEOUT_S: Final = 600
_START_S: Final = 6 * 3600

_JOINING = (
    "NCCL INFO ncclCommInitRankConfig comm 0x{comm} rank {rank} nranks {ranks} cudaDev {device} nvmlDev {device} "
    "busId {bus} commId 0x5d1c0ffee5d1c0ff - Init "
)
_INIT = (
    "NCCL INFO cudaDriverVersion 12080",
    "NCCL INFO NCCL version 2.27.7+cuda12.8",
    "NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth0",
    "NCCL INFO NCCL_IB_HCA set to mlx5",
    "NCCL INFO NCCL_IB_TIMEOUT set by environment to 22.",
    "NCCL INFO Bootstrap: Using eth0:{address}<0>",
    "NCCL INFO NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.",
    "NCCL INFO NET/IB : Using {devices} [RO]; OOB eth0:{address}<0>",
    "NCCL INFO Using network IB",
    _JOINING + "START",
    "NCCL INFO NVLS multicast support is available on dev {device} (NVLS_NCHANNELS 16)",
    "NCCL INFO comm 0x{comm} rank {rank} nRanks {ranks} nNodes {nodes} localRanks 8 localRank {device} MNNVL 0",
    "NCCL INFO Trees [0] {next}/-1/-1->{rank}->{previous} [1] {next}/-1/-1->{rank}->{previous}",
    _JOINING + "COMPLETE",
)
_STEPS = (
    "{stamp} INFO trainer: step {step} loss {loss} grad_norm 0.{fraction} tok/s {tokens}",
    "{stamp} INFO trainer: step {step} forward {ms} ms backward {ms2} ms optimizer {ms3} ms",
    "{stamp} INFO data: shard {shard} of 4096 loaded in {ms3} ms",
    "{stamp} INFO memory: allocated {gb} GiB reserved 71.3 GiB",
    (
        " iteration {step:8}/  500000 | consumed samples: {samples:12} | elapsed time per iteration (ms): {ms}.4 | "
        "learning rate: 3.000E-04 | lm loss: {loss} | grad norm: 0.{fraction} |"
    ),
)
_WATCHDOG = "[rank{rank}]:[E114 {clock}.{nano:09} ProcessGroupNCCL.cpp:{at}] "
_TIMED_OUT = (
    "[Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum={seq}, OpType=ALLREDUCE, "
    "NumelIn=16777216, NumelOut=16777216, Timeout(ms)=600000) ran for 6000{rest:02} milliseconds before timing out."
)
_RISK = (
    "[Rank {rank}] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, "
    "subsequent GPU operations might run on corrupted/incomplete data."
)
_GROUP = "[PG ID 0 PG GUID 0(default_pg) Rank {rank}] "
_VICTIM = (
    (616, _TIMED_OUT),
    (
        1785,
        _GROUP + "Exception (either an error or timeout) detected by watchdog at work: {seq}, "
        "last enqueued NCCL work: {seq}, last completed NCCL work: {done}.",
    ),
    (630, _RISK),
    (636, "[Rank {rank}] To avoid data inconsistency, we are taking the entire process down."),
    (1537, _GROUP + "Process group watchdog thread terminated with exception: " + _TIMED_OUT),
)
_CULPRIT = (
    "[rank{rank}]: Traceback (most recent call last):",
    '[rank{rank}]:   File "/opt/train/pretrain.py", line 412, in <module>',
    "[rank{rank}]:     main()",
    '[rank{rank}]:   File "/opt/train/pretrain.py", line 377, in main',
    "[rank{rank}]:     loss.backward()",
    "[rank{rank}]: RuntimeError: CUDA error: uncorrectable ECC error encountered",
    "[rank{rank}]: CUDA kernel errors might be asynchronously reported at some other API call.",
)


def lines(ranks: int, size_bytes: int, seed: int) -> Iterator[str]:
    """The lines of the job, each with the label of ``srun --label``.

    Args:
        ranks: Number of ranks, eight a node.
        size_bytes: Size to reach with training lines between start and end.
        seed: Of the random numbers; the failing rank depends on it.
    """
    chosen = random.Random(seed)
    yield from _interleaved(_start(ranks, chosen), chosen)
    step, seconds, written = 1200, float(_START_S), 0
    while written < size_bytes:
        step += 1
        seconds += 1.9
        for line in _interleaved(_step(ranks, step, seconds, chosen), chosen):
            written += len(line)
            yield line
    yield from _end(ranks, step, seconds, culprit_of(ranks, seed), chosen)


def culprit_of(ranks: int, seed: int) -> int:
    """The rank that loses its GPU."""
    return random.Random(f"culprit {seed}").randrange(ranks)


def host(rank: int) -> str:
    """Node of a rank."""
    return f"hgx-{rank // PER_NODE:03d}"


def write(path: Path, ranks: int = 1024, size_mb: int = 100, seed: int = 1) -> Path:
    """Write the job's output to a file."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(lines(ranks, size_mb * 1_000_000, seed))
    return path


def _start(ranks: int, chosen: random.Random) -> Iterator[tuple[int, str]]:
    devices = " ".join(f"[{n}]mlx5_{n}:1/IB" for n in range(PER_NODE))
    facts = [
        {
            "rank": rank, "ranks": ranks, "nodes": ranks // PER_NODE, "device": rank % PER_NODE,
            "bus": f"{rank % PER_NODE * 16 + 7:x}000", "comm": f"{chosen.getrandbits(44):012x}", "devices": devices,
            "address": f"10.60.{rank // PER_NODE // 200}.{rank // PER_NODE % 200 + 1}",
            "next": (rank + 1) % ranks, "previous": (rank - 1) % ranks,
        }
        for rank in range(ranks)
    ]  # fmt: skip
    for template in _INIT:
        for rank, values in enumerate(facts):
            yield rank, _nccl(rank, template.format(**values))
    for channel in range(16):
        for rank in range(ranks):
            after = (rank + 1) % ranks
            if host(after) == host(rank):
                way = f"{rank}[{rank % 8}] -> {after}[{after % 8}] via P2P/CUMEM"
            else:
                way = f"{rank}[{rank % 8}] -> {after}[{after % 8}] [send] via NET/IB/{channel % 8}/GDRDMA"
            yield rank, _nccl(rank, f"NCCL INFO Channel {channel:02}/0 : {way}")
    for rank in range(ranks):
        yield rank, _nccl(rank, "NCCL INFO Connected all rings, use ring PXN 0 GDR 1")


def _nccl(rank: int, text: str) -> str:
    pid = 40_000 + rank % PER_NODE * 7
    return f"{host(rank)}:{pid}:{pid + 501} [{rank % PER_NODE}] {text}"


def _step(ranks: int, step: int, seconds: float, chosen: random.Random) -> Iterator[tuple[int, str]]:
    loss = f"{2 + 400 / step:.4f}"
    for rank in range(ranks):
        values = {
            "stamp": f"2026-01-14 {_clock(seconds)},{chosen.randrange(1000):03}", "step": step, "loss": loss,
            "fraction": chosen.randrange(100, 999), "tokens": chosen.randrange(370_000, 390_000),
            "ms": chosen.randrange(1600, 1900), "ms2": chosen.randrange(900, 1100), "ms3": chosen.randrange(20, 90),
            "shard": chosen.randrange(4096), "gb": f"{chosen.uniform(60, 66):.1f}", "samples": step * 4096,
        }  # fmt: skip
        for template in _STEPS if rank == 0 else _STEPS[:4]:
            yield rank, template.format(**values)


def _end(ranks: int, step: int, seconds: float, culprit: int, chosen: random.Random) -> Iterator[str]:
    first = [(culprit, line.format(rank=culprit)) for line in _CULPRIT]
    yield from (_labelled(rank, line) for rank, line in first)
    late = seconds + TIMEOUT_S
    yield from _interleaved(_cascade(ranks, step, late, culprit, chosen), chosen)
    yield from _interleaved(_launchers(ranks, late + 5, culprit), chosen)
    yield "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n"
    for rank in range(ranks):
        code = "Exited with exit code 1" if rank == culprit else "Aborted (core dumped)"
        yield f"srun: error: {host(rank)}: task {rank}: {code}\n"


def _cascade(ranks: int, step: int, seconds: float, culprit: int, chosen: random.Random) -> Iterator[tuple[int, str]]:
    for rank in range(ranks):
        if rank == culprit:
            continue
        values = {
            "rank": rank, "seq": step * 3, "done": step * 3 - 1, "rest": chosen.randrange(100),
            "clock": _clock(seconds + rank % 5), "nano": chosen.randrange(10**9),
        }  # fmt: skip
        for at, text in _VICTIM:
            yield rank, _WATCHDOG.format(at=at, **values) + text.format(**values)
        yield rank, "terminate called after throwing an instance of 'c10::DistBackendError'"
        yield rank, _nccl(rank, "NCCL INFO [Service thread] Connection closed by localRank " + str((rank + 1) % 8))


def _launchers(ranks: int, seconds: float, culprit: int) -> Iterator[tuple[int, str]]:
    for rank in range(ranks):
        code = 1 if rank == culprit else -6
        pid = 40_000 + rank % PER_NODE * 7
        yield (
            rank,
            (
                f"E0114 {_clock(seconds)}.000000 {pid - 9} torch/distributed/elastic/multiprocessing/api.py:869] "
                f"failed (exitcode: {code}) local_rank: {rank % PER_NODE} (pid: {pid}) of binary: /opt/venv/bin/python3"
            ),
        )


def _interleaved(made: Iterator[tuple[int, str]], chosen: random.Random) -> Iterator[str]:
    """Lines of different ranks in random order inside a window; those of one rank keep theirs."""
    window: list[tuple[int, str]] = []
    for line in made:
        window.append(line)
        if len(window) == WINDOW:
            yield from _mixed(window, chosen)
            window.clear()
    yield from _mixed(window, chosen)


def _mixed(window: Sequence[tuple[int, str]], chosen: random.Random) -> Iterator[str]:
    queues: dict[int, list[str]] = {}
    for rank, line in window:
        queues.setdefault(rank, []).append(line)
    order = [rank for rank, _ in window]
    chosen.shuffle(order)
    waiting = {rank: iter(queue) for rank, queue in queues.items()}
    for rank in order:
        yield _labelled(rank, next(waiting[rank]))


def _labelled(rank: int, line: str) -> str:
    return f"{rank:4}: {line}\n"


def _clock(seconds: float) -> str:
    whole = int(seconds) % 86_400
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--ranks", type=int, default=1024)
    parser.add_argument("--size-mb", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    write(chosen.file, chosen.ranks, chosen.size_mb, chosen.seed)
    print(f"rank {culprit_of(chosen.ranks, chosen.seed)} of {host(culprit_of(chosen.ranks, chosen.seed))}")


if __name__ == "__main__":
    main()
