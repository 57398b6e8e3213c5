"""Logs made for measuring: healthy lines of four kinds, and faults at a stated rate."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

PART_LINES = 200_000
POOL_LINES = 20_000

Fill = Callable[[random.Random], str]

KERNEL = (
    "pci <pci>: BAR <6>: assigned [mem 0x<h8>-0x<h8> 64bit pref]",
    'audit: type=1400 audit(<1000000000>.<999>:7): apparmor="STATUS" pid=<59049>',
    "perf: interrupt took too long (<9999> > <9999>), lowering kernel.perf_event_max_sample_rate to <99999>",
    "nvidia-uvm: Loaded the UVM driver, major device number <600>.",
    "IPv6: ADDRCONF(NETDEV_CHANGE): veth<h7>: link becomes ready",
    "docker0: port <64>(veth<h7>) entered forwarding state",
    "EXT4-fs (nvme<8>n1p1): mounted filesystem with ordered data mode. Quota mode: none.",
    "mlx5_core <pci> ib<8>: joined multicast group, <99> members",
    "usb 1-<9>: new high-speed USB device number <99> using xhci_hcd",
)
SYSTEM = (
    *KERNEL,
    "systemd[1]: Started Session <99999> of User user<99>.",
    "sshd[<59049>]: Accepted publickey for user<99> from 192.0.2.<255> port <65535> ssh2",
)
NCCL = (
    "NCCL INFO Channel <24>/0 : <4096>[<8>] -> <4096>[<8>] [send] via NET/IB/<8>/GDRDMA",
    "NCCL INFO Channel <24>/0 : <8>[<h5>] -> <8>[<h5>] via P2P/IPC/read",
    "NCCL INFO comm 0x<h12> rank <4096> nranks 4096 cudaDev <8> busId <h5> commId 0x<h16> - Init COMPLETE",
    "NCCL INFO Trees [0] <4096>/-1/-1-><4096>->-1",
    "NCCL INFO AllReduce: opCount <h4> sendbuff 0x<h12> recvbuff 0x<h12> count <99999999> datatype 9 op 0 root 0",
    "NCCL INFO Setting affinity for GPU <8> to <h8>,<h8>",
)
TRAINING = (
    " iteration <99999>/ 500000 | consumed samples: <99999999> | elapsed time per iteration (ms): <9999>.<9>",
    "<512>: step <999999> loss <9>.<9999> grad_norm 0.<999> tokens/s <999999>",
    "saving checkpoint at iteration <99999> to /lustre/run<99>/checkpoints",
    "Loaded shard <4096> of 4096 in <9>.<99> s",
    "epoch <99>: validation done, <9999> samples in <99>.<99> s",
)
SLURM = (
    "_slurm_rpc_submit_batch_job: JobId=<9999999> InitPrio=<9999999> usec=<9999>",
    "sched: Allocate JobId=<9999999> NodeList=<node>,<node> #CPUs=<9999> Partition=gpu",
    "debug:  sched/backfill: _attempt_backfill: beginning",
    "debug2: Processing RPC: MESSAGE_NODE_REGISTRATION_STATUS from UID=0",
    "debug:  _slurm_rpc_node_registration complete for <node> usec=<999>",
    "_job_complete: JobId=<9999999> done",
)
KERNEL_FAULTS = (
    "NVRM: Xid (PCI:0000:<h2>:00): 79, pid=<9999>, name=python3, Ch <h8>",
    "NVRM: Xid (PCI:0000:<h2>:00): 94, pid=<9999>, name=python3, Ch <h8>",
    "nvidia-nvswitch<4>: SXid (PCI:<pci>): 20034, Non-fatal, Link <64> LTSSM Fault Up",
    "pcieport <pci>: AER: Uncorrected (Fatal) error received: <pci>",
    "mlx5_core <pci>: mlx5_health_check:<900>:(pid 0): device's health compromised - reached miss count",
    "Out of memory: Killed process <99999> (python3) total-vm:<9999999>kB, anon-rss:<9999999>kB, file-rss:0kB",
)
NCCL_FAULTS = (
    "NCCL WARN NET/IB : mlx5_<8>:1 Got async event : port error",
    "NCCL WARN NET/IB: Got completion from peer 192.0.2.<255><<65535>> with status=12 opcode=0 vendor err 129 (Recv)",
    (
        "[Rank <4096>] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=<999999>, OpType=ALLREDUCE, "
        "NumelIn=<99999>, NumelOut=1, Timeout(ms)=600000) ran for 600<999> milliseconds before timing out."
    ),
)
SLURM_FAULTS = (
    "error: Nodes <node> not responding",
    "update_node: node <node> reason set to: Kill task failed",
    "requeue job JobId=<9999999> due to failure of node <node>",
)

KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "dmesg": (KERNEL, KERNEL_FAULTS),
    "train": (TRAINING, NCCL_FAULTS),
    "slurmctld": (SLURM, SLURM_FAULTS),
    "syslog": (SYSTEM, KERNEL_FAULTS),
}

SPECIAL: dict[str, Fill] = {
    "node": lambda chosen: f"gpu-r{chosen.randrange(40):02d}-n{chosen.randrange(25):02d}",
    "pci": lambda chosen: f"0000:{chosen.randrange(256):02x}:00.0",
}

Matches = Callable[[Sequence[str]], list[bool]]
"""For each text whether some pattern matches it."""


def write_mixed(folder: Path, size_mb: int, hit_share: float, matches: Matches) -> list[Path]:
    """Four logs of equal size in which this share of the lines matches a pattern.

    Healthy lines that a pattern matches and faults that none matches are left out, so that the share is the stated one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, (kind, (healthy, faults)) in enumerate(KINDS.items()):
        chosen = random.Random(number)
        calm = _pool(chosen, healthy, matches, wanted=False)
        alarming = _pool(chosen, faults, matches, wanted=True)
        path = folder / f"{kind}.log"
        _write(path, size_mb * 1_000_000 // len(KINDS), _lines(chosen, kind, calm, alarming, hit_share))
        paths.append(path)
    return paths


def healthy(kind: str, chosen: random.Random, lines: int) -> str:
    """So many healthy lines of one kind."""
    pool = [_filled(template, chosen) for template in KINDS[kind][0]]
    return "".join(line for line, _ in zip(_lines(chosen, kind, pool, pool, 0.0), range(lines), strict=False))


def write_dense(path: Path, size_mb: int) -> Path:
    """One NCCL log at level INFO, on which patterns hit most lines."""
    chosen = random.Random(5)
    pool = [_filled(chosen.choice(NCCL), chosen) for _ in range(POOL_LINES)]
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, size_mb * 1_000_000, _lines(chosen, "nccl", pool, pool, 0.0))
    return path


def write_repeated(path: Path, source: Path, size_mb: int) -> Path:
    """A log of this size made of copies of another."""
    content = source.read_bytes()
    with path.open("wb") as file:
        for _ in range(-(-size_mb * 1_000_000 // len(content))):
            file.write(content)
    return path


def _pool(chosen: random.Random, templates: Sequence[str], matches: Matches, *, wanted: bool) -> list[str]:
    texts = [_filled(chosen.choice(templates), chosen) for _ in range(POOL_LINES)]
    kept = [text for text, match in zip(texts, matches(texts), strict=True) if match == wanted]
    if not kept:
        raise SystemExit("the patterns leave no line of a kind; the corpus does not fit them")
    return kept


def _filled(template: str, chosen: random.Random) -> str:
    """Put random values in: ``<99>`` a number below, ``<h8>`` so many hexadecimal digits, ``<node>``, ``<pci>``."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name in SPECIAL:
            return SPECIAL[name](chosen)
        if name.startswith("h"):
            digits = int(name[1:])
            return f"{chosen.getrandbits(4 * digits):0{digits}x}"
        return str(chosen.randrange(int(name)))

    return re.sub(r"<(\w+)>", value, template)


def _lines(
    chosen: random.Random, kind: str, calm: Sequence[str], alarming: Sequence[str], share: float
) -> Iterator[str]:
    seconds = 10.0
    while True:
        seconds += chosen.random() / 100
        text = chosen.choice(alarming if chosen.random() < share else calm)
        yield f"{_prefix(kind, chosen, seconds)}{text}\n"


def _prefix(kind: str, chosen: random.Random, seconds: float) -> str:
    clock = f"{int(seconds) // 3600 % 24:02d}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}"
    node = SPECIAL["node"](chosen)
    if kind == "dmesg":
        return f"[{seconds:12.6f}] "
    if kind == "slurmctld":
        return f"[2026-03-{1 + int(seconds) // 86400 % 28:02d}T{clock}.{int(seconds * 1000) % 1000:03d}] "
    if kind == "syslog":
        return f"Mar {1 + int(seconds) // 86400 % 28:2d} {clock} {node} kernel: "
    return f"{node}:{chosen.randrange(99999)}:{chosen.randrange(99999)} [{chosen.randrange(8)}] "


def _write(path: Path, size_bytes: int, lines: Iterator[str]) -> None:
    """Write this much; long logs repeat their first part, which no engine can profit from."""
    part = "".join(next(lines) for _ in range(PART_LINES)).encode()
    with path.open("wb") as file:
        for start in range(0, size_bytes, len(part)):
            file.write(part[: size_bytes - start])
