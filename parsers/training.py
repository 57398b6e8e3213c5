"""Job output of training and serving programs without NCCL lines: tracebacks, torchrun, srun, Python logging."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers import _job, _lines

FORMAT: Final = Format(
    name="training",
    kind="lines",
    families=frozenset({"training", "nccl", "slurm"}),
    title="job output (training, serving)",
)

_MARKER: Final = re.compile(
    rb"Traceback \(most recent call last\):|torch[./]distributed|ProcessGroup(?:NCCL|Wrapper)|\[rank\d{1,6}\]:"
    rb"|\[default\d{1,5}\]:|torchrun|Root Cause \(first observed failure\)|DistBackendError|OutOfMemoryError"
    rb"|CUDA error: |(?:EngineCore|Worker)\w{0,20} pid=\d|\bvLLM\b|deepspeed|Megatron|# nThread \d|#wrong"
    rb"|\[c10d\]|RayTaskError|raylet|:::ML(?:LOG|Pv\d)|LOCAL_RANK: \d+ - CUDA_VISIBLE_DEVICES|Avg prompt throughput"
    rb"|(?:mpirun|mpiexec|prterun) (?:noticed|detected|was unable)|Primary job  terminated|PMIX ERROR|ORTE_ERROR_LOG"
    rb"|Accelerator\(\)|accelerate[. ]launch|jax\.distributed|jaxlib|tensorflow/core/|pytorch_lightning|nemo_logging"
    rb"|^\+{1,4} (?:srun|torchrun|mpirun|python3?|accelerate|deepspeed) "
)
_WORDS: Final = (
    b"traceback (most", b"torch", b"processgroup", b"[rank", b"[default", b"root cause (first", b"distbackenderror",
    b"outofmemoryerror", b"cuda error", b" pid=", b"vllm", b"deepspeed", b"megatron", b"# nthread", b"#wrong",
    b"[c10d]", b"raytaskerror", b"raylet", b"srun: ", b"slurmstepd", b"loss", b"tok/s", b"tokens", b"samples",
    b"throughput", b"lr ", b":::ml", b"local_rank", b"mpirun", b"mpiexec", b"prterun", b"primary job", b"pmix",
    b"orte_error", b"accelerate", b"jax", b"tensorflow/", b"nemo", b"+ srun", b"+ python", b"it/s", b"s/it",
)  # fmt: skip
_SLURM: Final = re.compile(rb"(?:srun|slurmstepd(?:-[\w.-]{1,64})?): (?:error: |Job step|fatal: |job |STEP )")
_STEP: Final = re.compile(
    rb"(?:^|[\s\[|])(?:step|iter|iteration|epoch)[ =:/\[]{1,3}\d{1,9}\b"
    rb".{0,80}\b(?:loss|lr|tok/s|tokens|samples|ms|throughput)\b"
    rb"|[{ ]['\"](?:loss|train_loss|grad_norm|learning_rate)['\"]: ?-?[\d'\"]"
    rb"|\bepoch:? ?\[?\d{1,6}\]? ?\[ {0,6}\d{1,9}/ {0,6}\d{1,9}\]|\| {0,3}\d{1,9}/\d{1,9} \[[\d:]{4,9}<",
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"(?:^|/)(?:slurm-\d+[\w.-]*\.(?:out|err|log)|(?:train|torchrun|srun|mpirun)[\w.-]*\.(?:log|out|err|txt))$"
)
_NAME_SCORE: Final = 20


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by words that only training frameworks and Slurm's launcher print into a job's output."""
    lowered = head.lower()
    worded = any(word in lowered for word in _WORDS)
    named = _NAME.search(path.replace("\\", "/")) is not None
    if not worded and not named:
        return None
    hits, total = _lines.share(head, _is_job_line if worded else _never)
    if hits:
        score = min(50 + 4 * hits, 80) + (5 if named else 0)
        return Sniff(score=score, why=f"{hits} of {total} lines are a job's output")
    if named and total and b"\0" not in head:
        return Sniff(score=_NAME_SCORE, why="file name of a job's output")
    return None


def prefix(line: bytes) -> Prefix | None:
    """Read one line's head: rank tags, PyTorch and Python logging stamps, Slurm's own messages."""
    return _job.prefix(line)


def _never(_line: bytes) -> bool:
    return False


def _is_job_line(line: bytes) -> bool:
    return any(form.search(line) for form in (_MARKER, _STEP)) or _SLURM.match(line) is not None
