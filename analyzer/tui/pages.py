"""What the detail pane says about a cause, a consequence, or the inputs."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from textual.content import Content

from analyzer.bundle.display import clean
from analyzer.model.analysis import Analysis, Consequence, Diagnosis, Evidence, Input
from analyzer.report.wording import answer, many, seen
from analyzer.tui.messages import Messages
from analyzer.tui.widgets.cause_list import Row
from analyzer.tui.widgets.paragraphs import Paragraph
from analyzer.tui.wording import MUTED, clock, parts, short_place, when

_INPUTS_SHOWN = 200
_EMPTY = Paragraph(Content(""))
_LABEL = "bold $text-accent"


def why(row: Row, current: int, messages: Messages) -> list[Paragraph]:
    """What is wrong and how that shows.

    Args:
        row: The selected row.
        current: Index of the evidence that the evidence pane shows.
        messages: Cuts the heads off log lines.
    """
    if row.diagnosis is None:
        return _group()
    if row.consequence is not None:
        return list(_consequence(row.diagnosis, row.consequence, current, messages))
    return list(_cause(row.diagnosis, current, messages))


def fix(row: Row) -> list[Paragraph]:
    """The steps that repair it."""
    if row.diagnosis is None:
        return _group()
    page = _of_cause(row, "The repair is that of its cause:")
    for number, step in enumerate(row.diagnosis.fix, 1):
        risk = ("  disruptive", "bold $text-error") if step.risk == "disruptive" else ("", "")
        page.append(_step(number, Content.assemble(clean(step.text), risk)))
        page += _command(step.command)
    return page if row.diagnosis.fix else [*page, Paragraph(Content("No repair is known that a source supports."))]


def verify(row: Row) -> list[Paragraph]:
    """The steps that show whether the repair worked."""
    if row.diagnosis is None:
        return _group()
    page = _of_cause(row, "The check is that of its cause:")
    for number, step in enumerate(row.diagnosis.verify, 1):
        page.append(_step(number, Content(clean(step.text))))
        page += _command(step.command)
        if step.expect:
            page.append(Paragraph(Content(clean(step.expect)), Content.styled("   expect ", MUTED)))
    return page if row.diagnosis.verify else [*page, Paragraph(Content("No check is known that a source supports."))]


def inputs(analysis: Analysis) -> list[Paragraph]:
    """What was read, what was not, and what would help."""
    listed = analysis.coverage.inputs
    page = []
    if not analysis.diagnoses:
        words = answer(analysis, "cause")
        page.append(Paragraph(Content.styled(f"{words[0].upper()}{words[1:]}.", "bold")))
    page.append(Paragraph(Content(_totals(analysis))))
    if analysis.window.from_:
        span = f"{analysis.window.from_} to {analysis.window.to}: {clean(analysis.window.why)}"
        page.append(Paragraph(Content(span), Content.styled("incident ", MUTED)))
    troubled = [item for item in listed if item.status != "read"]
    page += _section("Not read", (_trouble(item) for item in troubled[:_INPUTS_SHOWN]))
    page += _more(len(troubled))
    page += _section("Would help", (p for m in analysis.coverage.missing for p in _missing(m.for_, m.needs, m.how)))
    muted = (Paragraph(Content(clean(m.reason)), Content(f" {clean(m.rule)}: ")) for m in analysis.muted)
    page += _section("Muted by the site profile", muted)
    read = [item for item in listed if item.status == "read"]
    folder = _folder(read)
    page += _section(f"Read in {clean(folder)}" if folder else "Read", (_read(i, folder) for i in read[:_INPUTS_SHOWN]))
    return page + _more(len(read))


def commands(row: Row | None, page: str) -> list[str]:
    """Commands of the page, in order."""
    if row is None or row.diagnosis is None:
        return []
    steps: Sequence[object] = {"fix": row.diagnosis.fix, "verify": row.diagnosis.verify}.get(page, ())
    found = (getattr(step, "command", None) for step in steps)
    return ["\n".join(_clean_lines(command)) for command in found if command]


def _cause(diagnosis: Diagnosis, current: int, messages: Messages) -> Iterator[Paragraph]:
    yield Paragraph(Content.styled(clean(diagnosis.explanation or diagnosis.title), "bold"))
    if diagnosis.unexplained_consequence:
        yield Paragraph(Content.styled("A consequence; what caused it was not found.", "$text-warning"))
    yield from _proof(diagnosis.evidence, current, messages)
    yield _labelled("when", when(diagnosis))
    for kind, names in parts(diagnosis.entities):
        yield _labelled(kind, names)
    yield _labelled("cause", f"{diagnosis.cause} · layer {diagnosis.layer}")
    yield _labelled("confidence", f"{diagnosis.confidence:.0%}")
    for term in diagnosis.confidence_terms:
        yield Paragraph(Content(clean(term.text)), Content.styled(f"{term.value:>+10.2f} ", MUTED))
    yield from _section("Leads to", _effects(diagnosis))
    yield from _section("Not proof of", (_item(text) for text in diagnosis.not_proof_of))
    others = (_item(f"{o.cause} ({o.confidence:.0%}): {o.tell_apart}") for o in diagnosis.alternatives)
    yield from _section("Could also be", others)
    yield from _section("Sources", (_item(text) for text in diagnosis.sources))


def _consequence(
    diagnosis: Diagnosis, consequence: Consequence, current: int, messages: Messages
) -> Iterator[Paragraph]:
    yield Paragraph(Content.assemble((clean(consequence.title), "bold"), f"  {many(consequence.count, 'line')}"))
    yield Paragraph(Content(clean(diagnosis.explanation or diagnosis.title)), Content.styled("follows from ", MUTED))
    yield from _proof(consequence.evidence, current, messages)
    for kind, names in parts(consequence.entities):
        yield _labelled(kind, names)
    via = "" if consequence.via in ("", diagnosis.cause) else f" · by way of {consequence.via}"
    yield _labelled("symptom", f"{consequence.cause}{via}")


def _proof(evidence: Sequence[Evidence], current: int, messages: Messages) -> Iterator[Paragraph]:
    """One line each; the evidence pane shows the one that is marked in full."""
    for index, item in enumerate(evidence):
        here = index == current
        lead = Content.styled(f"{'>' if here else ' '}{index + 1:>2} ", "bold $text-accent" if here else MUTED)
        time = f"{clock(item)} " if clock(item) else ""
        against = ("against ", "bold $text-warning") if item.role == "against" else ("", "")
        times = (f" ×{item.occurrences:,}", MUTED) if item.occurrences > 1 else ("", "")
        source = (f"{time}{short_place(item)}", MUTED)
        about = Content.assemble(against, source, times, f"  {messages.of(item)}")
        yield Paragraph(about, lead, wraps=False)


def _effects(diagnosis: Diagnosis) -> Iterator[Paragraph]:
    """The chain where it is told, and every consequence that the chain does not name."""
    for link in diagnosis.chain:
        moment = f" {link.time[11:19]}" if link.time else ""
        yield Paragraph(Content(clean(link.text)), Content.styled(f" →{moment} ", MUTED))
    told = {link.cause for link in diagnosis.chain}
    for effect in diagnosis.consequences:
        if effect.cause not in told:
            yield _item(f"{effect.title} ({many(effect.count, 'line')})")


def _of_cause(row: Row, note: str) -> list[Paragraph]:
    return [] if row.consequence is None else [Paragraph(Content.styled(note, MUTED))]


def _group() -> list[Paragraph]:
    return [Paragraph(Content("What was found outside the incident window is kept apart here. Enter opens it."))]


def _step(number: int, text: Content) -> Paragraph:
    return Paragraph(text, Content(f"{number:>2} "))


def _command(command: str | None) -> list[Paragraph]:
    lines = _clean_lines(command or "")
    return [Paragraph(Content.styled(line, "$text-success"), Content.styled("   $ ", MUTED)) for line in lines]


def _clean_lines(command: str) -> list[str]:
    return [clean(line) for line in command.splitlines()]


def _labelled(label: str, text: str) -> Paragraph:
    return Paragraph(Content(clean(text)), Content.styled(f"{label:>10} ", MUTED))


def _item(text: str) -> Paragraph:
    return Paragraph(Content(clean(text)), Content.styled(" - ", MUTED))


def _section(title: str, rows: Iterable[Paragraph]) -> list[Paragraph]:
    listed = list(rows)
    return [_EMPTY, Paragraph(Content.styled(title, _LABEL)), *listed] if listed else []


def _totals(analysis: Analysis) -> str:
    formats = Counter(item.format for item in analysis.coverage.inputs if item.status == "read")
    named = ", ".join(f"{count:,} {clean(name)}" for name, count in formats.most_common())
    return f"{seen(analysis)}. Read: {named or 'nothing'}."


def _trouble(item: Input) -> Paragraph:
    reason = clean(item.problem or item.why) or "no reason known"
    status = (f"{item.status}: ", "bold $text-warning")
    return Paragraph(Content.assemble(f"{clean(item.file)} ", status, reason), Content(" "))


def _missing(wanted: str, needs: str, how: str) -> list[Paragraph]:
    return [Paragraph(Content(clean(needs)), Content(f" {clean(wanted)}: ")), *_command(how)]


def _folder(read: Sequence[Input]) -> str:
    """What all paths begin with, up to a slash."""
    if not read:
        return ""
    first, last = (choose(read, key=lambda item: item.file).file for choose in (min, max))
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return first[: first.rfind("/", 0, same) + 1]


def _read(item: Input, folder: str) -> Paragraph:
    nodes = f" · {clean(item.nodes[0])}" if len(item.nodes) == 1 else ""
    about = (f"  {clean(item.format)} · {many(item.lines, 'line')}{nodes}", MUTED)
    return Paragraph(Content.assemble(clean(item.file.removeprefix(folder)), about), Content(" "))


def _more(count: int) -> list[Paragraph]:
    rest = count - _INPUTS_SHOWN
    return [Paragraph(Content(f" and {rest:,} more"))] if rest > 0 else []
