"""The report for people at a terminal: the cause, its proof, the fix and the check, first diagnosis first."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from analyzer.bundle.display import clean
from analyzer.model.analysis import Analysis, Coverage, Diagnosis, Entities, Evidence, FixStep, Template, VerifyStep
from analyzer.report.clocks import clocks_told, window_told
from analyzer.report.plain import plain
from analyzer.report.wording import PARTS_FIRST, answer, many, names_told, place, seen

_STYLE = {"critical": "bold white on red", "warning": "bold black on yellow", "info": "bold white on blue"}
_NAMES_SHOWN = 4
_CONSEQUENCES_SHOWN = 8
_MISSING_SHOWN = 4
_PROBLEMS_SHOWN = 8
_UNKNOWN_SHOWN = 5
_ALIKE_SHOWN = 8
_ALIKE_PROOF = 2
_UNKNOWN_WIDTH = 160


def render(analysis: Analysis, *, width: int, color: bool) -> str:
    """The whole report as text of the given width."""
    analysis = plain(analysis)
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=color, color_system="standard" if color else None, highlight=False,
        emoji=False, markup=False,
    )  # fmt: skip
    _verdict(console, analysis)
    _diagnoses(console, analysis.diagnoses)
    _earlier(console, analysis.earlier)
    _not_understood(console, analysis.not_understood)
    _coverage(console, analysis.coverage)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _verdict(console: Console, analysis: Analysis) -> None:
    told = (answer(analysis, "diagnosis", "diagnoses"), "bold")
    console.print(Text.assemble(told, f"  ({seen(analysis)})"))
    window = window_told(analysis.window)
    if window:
        console.print(Text(clean(window), style="dim"))


def _diagnoses(console: Console, diagnoses: Sequence[Diagnosis]) -> None:
    """The first diagnosis of each cause in full; further ones differ in part and proof only, and are told in short."""
    told: Counter[str] = Counter()
    for diagnosis in diagnoses:
        told[diagnosis.cause] += 1
        if told[diagnosis.cause] == 1:
            _diagnosis(console, diagnosis)
        elif told[diagnosis.cause] <= _ALIKE_SHOWN:
            _alike(console, diagnosis)
    for cause, count in told.items():
        if count > _ALIKE_SHOWN:
            console.print(Text.assemble("\nand ", (cause, "bold"), f" on {count - _ALIKE_SHOWN:,} more parts"))


def _alike(console: Console, diagnosis: Diagnosis) -> None:
    _headline(console, diagnosis)
    _indented(console, Text(_when(diagnosis), style="dim"))
    _section(console, "Proof", (_evidence(e) for e in diagnosis.evidence[:_ALIKE_PROOF]))


def _headline(console: Console, diagnosis: Diagnosis) -> None:
    console.print()
    head = Text.assemble(
        f"{diagnosis.rank}. ",
        (f" {diagnosis.severity.upper()} ", _STYLE[diagnosis.severity]),
        " ",
        (clean(diagnosis.explanation), "bold"),
    )
    console.print(head)


def _diagnosis(console: Console, diagnosis: Diagnosis) -> None:
    _headline(console, diagnosis)
    about = f"{diagnosis.cause} · confidence {diagnosis.confidence:.0%} · {diagnosis.layer}"
    if diagnosis.unexplained_consequence:
        about += " · a consequence; what caused it was not found"
    _indented(console, Text(about, style="dim"))
    _indented(console, Text(_when(diagnosis), style="dim"))
    _indented(console, Text(_parts(diagnosis.entities)))
    _section(console, "Proof", (_evidence(e) for e in diagnosis.evidence))
    _consequences(console, diagnosis)
    _section(console, "Fix", (_fix(n, step) for n, step in enumerate(diagnosis.fix, 1)))
    _section(console, "Verify", (_verify(n, step) for n, step in enumerate(diagnosis.verify, 1)))
    if diagnosis.not_proof_of:
        _section(console, "Not proof of", (Text(clean(text)) for text in diagnosis.not_proof_of))


def _when(diagnosis: Diagnosis) -> str:
    if diagnosis.first_seen is None:
        return f"time unknown · {many(diagnosis.occurrences, 'observation')}"
    span = diagnosis.first_seen
    if diagnosis.last_seen != diagnosis.first_seen:
        span += f" to {diagnosis.last_seen}"
    state = "" if diagnosis.state == "unknown" else f" · {diagnosis.state}"
    return f"{span} · {many(diagnosis.occurrences, 'observation')}{state}"


def _parts(entities: Entities) -> str:
    shown = []
    for kind in PARTS_FIRST:
        names = names_told(kind, entities.get(kind, []))
        if names:
            more = f" +{len(names) - _NAMES_SHOWN}" if len(names) > _NAMES_SHOWN else ""
            shown.append(f"{kind} {', '.join(clean(n) for n in names[:_NAMES_SHOWN])}{more}")
    return " · ".join(shown)


def _evidence(evidence: Evidence) -> Text:
    times = f"  (1 of {evidence.occurrences})" if evidence.occurrences > 1 else ""
    mark = "against: " if evidence.role == "against" else ""
    return Text.assemble((f"{mark}{place(evidence)}", "cyan"), (times, "dim"), "\n  ", clean(evidence.text.strip()))


def _consequences(console: Console, diagnosis: Diagnosis) -> None:
    shown = diagnosis.consequences[:_CONSEQUENCES_SHOWN]
    width = max((len(c.cause) for c in shown), default=0)
    rows = [
        Text.assemble((f"{c.cause:{width}}", "bold"), f"  {clean(c.title)}  ({many(c.count, 'line')})") for c in shown
    ]
    more = len(diagnosis.consequences) - len(shown)
    if more > 0:
        rows.append(Text(f"and {more} more"))
    _section(console, "Explains", rows)


def _fix(number: int, step: FixStep) -> Text:
    risk = ("  [disruptive]", "red") if step.risk == "disruptive" else ("", "")
    return Text.assemble(f"{number}. {clean(step.text)}", risk, *_command(step.command))


def _verify(number: int, step: VerifyStep) -> Text:
    expect = f"\n     expect: {clean(step.expect)}" if step.expect else ""
    return Text.assemble(f"{number}. {clean(step.text)}", *_command(step.command), expect)


def _command(command: str | None) -> tuple[tuple[str, str], ...]:
    return ((f"\n     $ {clean(command)}", "green"),) if command else ()


def _earlier(console: Console, earlier: Sequence[Diagnosis]) -> None:
    rows = (
        Text.assemble(f"{d.first_seen or 'time unknown'}  ", (d.cause, "bold"), f"  {clean(d.explanation)}")
        for d in earlier
    )
    _section(console, "Earlier, outside the incident", rows, indent=0)


def _not_understood(console: Console, kinds: Sequence[Template]) -> None:
    rows = [
        Text.assemble(
            (f"{clean(kind.example['file'])}:{kind.example['line']}", "cyan"),
            f"  x{kind.count:,}\n  ",
            _shortened(clean(kind.template)),
        )
        for kind in kinds[:_UNKNOWN_SHOWN]
    ]
    if len(kinds) > len(rows):
        rows.append(Text(f"and {len(kinds) - len(rows)} more kinds"))
    _section(console, "Error lines that no rule knows", rows, indent=0)


def _shortened(text: str) -> str:
    return text if len(text) <= _UNKNOWN_WIDTH else text[: _UNKNOWN_WIDTH - 1] + "…"


def _coverage(console: Console, coverage: Coverage) -> None:
    _section(console, "Clocks", [Text(clean(line)) for line in clocks_told(coverage.inputs)], indent=0)
    troubled = [item for item in coverage.inputs if item.status != "read"]
    rows = [Text(f"{clean(item.file)}: {item.status}, {clean(item.problem)}") for item in troubled[:_PROBLEMS_SHOWN]]
    if len(troubled) > _PROBLEMS_SHOWN:
        rows.append(Text(f"and {len(troubled) - _PROBLEMS_SHOWN} more"))
    _section(console, "Not read", rows, indent=0)
    missing = [Text(f"{m.for_}: {clean(m.needs)}\n  $ {clean(m.how)}") for m in coverage.missing[:_MISSING_SHOWN]]
    _section(console, "Would help", missing, indent=0)


def _section(console: Console, title: str, rows: Iterable[Text], indent: int = 3) -> None:
    listed = list(rows)
    if not listed:
        return
    if indent == 0:
        console.print()
    console.print(Padding(Text(title, style="bold"), (0, 0, 0, indent)))
    for row in listed:
        console.print(Padding(row, (0, 0, 0, indent + 2)))


def _indented(console: Console, text: Text) -> None:
    if text.plain:
        console.print(Padding(text, (0, 0, 0, 3)))
