"""``kubectl describe`` of pods and nodes: what they ask for and have, their state, and their events."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Format, Sniff
from analyzer.model.tables import MAX_TEXT, Column, Row, TableSpec
from parsers import _fabric_text
from parsers._fabric_text import Line

FORMAT: Final = Format("kubectl", "table", frozenset({"container", "text"}), "kubectl describe")

_NODE = Column("node", "str", "node that the pod runs on, or that is described", "node")
PODS: Final = TableSpec(
    "k8s_pods",
    "One described pod",
    (
        Column("pod", "str", "name", "pod"),
        Column("namespace", "str", "namespace"),
        _NODE,
        Column("status", "str", "Pending, Running, Failed ..."),
        Column("reason", "str", "reason of a waiting or ended container, e.g. ImagePullBackOff, OOMKilled"),
        Column("gpus", "int", "GPUs that its containers ask for"),
        Column("memory_backed_shm", "bool", "true where a volume of medium Memory is mounted"),
    ),
)
NODES: Final = TableSpec(
    "k8s_nodes",
    "One described node of the cluster",
    (
        _NODE,
        Column("unschedulable", "bool", "true when cordoned"),
        Column("ready", "bool", "condition Ready"),
        Column("ready_reason", "str", "reason of the condition Ready"),
        Column("taints", "str", "taints as printed, null without"),
        Column("gpu_capacity", "int", "GPUs that the device plugin announced; null without the resource"),
        Column("gpu_allocatable", "int", "those of them that are healthy"),
        Column("gpu_allocated", "int", "those that pods hold"),
        Column("gpu_labelled", "bool", "labels say that the node has GPUs"),
    ),
)
EVENTS: Final = TableSpec(
    "k8s_events",
    "One event of a described pod or node",
    (
        Column("kind", "str", "pod or node"),
        Column("pod", "str", "pod that the event is about", "pod"),
        Column("namespace", "str", "its namespace"),
        _NODE,
        Column("type", "str", "Normal or Warning"),
        Column("reason", "str", "e.g. FailedScheduling, Failed, BackOff"),
        Column("reporter", "str", "component that reports it"),
        Column("age_s", "int", "seconds since the event was last seen"),
        Column("count", "int", "how often it was seen"),
        Column("lasting_s", "int", "seconds over which it was seen"),
        Column("message", "str", "text"),
        Column("nodes_total", "int", "scheduler: nodes looked at"),
        Column("nodes_available", "int", "scheduler: nodes that fit"),
        Column("insufficient_gpu", "int", "scheduler: nodes with too few free GPUs"),
        Column("tainted", "int", "scheduler: nodes with a taint the pod does not tolerate"),
        Column("cordoned", "int", "scheduler: nodes taken out of scheduling"),
        Column("selector_mismatch", "int", "scheduler: nodes that the pod's selector or affinity leaves out"),
    ),
)
TABLES: Final = (PODS, NODES, EVENTS)

_FIELD: Final = re.compile(r"( *)([A-Z][\w ./-]{0,60}?): *(.*)")
_RESOURCE: Final = re.compile(r" +(?:nvidia|amd)\.com/(?:gpu|mig-\S{1,20})\S{0,20}?:? +(\d{1,6})(?: .*)?")
_EVENT: Final = re.compile(
    r" +(?P<type>Normal|Warning) +(?P<reason>[A-Z]\w{1,60}) +(?P<age>\S{1,12}(?: \(x\d{1,9} over [^)\s]{1,12}\))?)"
    r" +(?P<source>\S{1,80}(?:, \S{1,80})?) +(?P<message>\S.{0,4000})"
)
_AGE: Final = re.compile(r"(\S+?)(?: \(x(\d+) over (\S+)\))?")
_UNITS: Final = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_DURATION: Final = re.compile(r"(\d{1,6})([dhms])")
_SCHEDULER: Final = re.compile(r"(\d{1,6})/(\d{1,6}) nodes are available")
_COUNTS: Final = {
    "insufficient_gpu": re.compile(r"(\d{1,6}) Insufficient (?:nvidia|amd)\.com/"),
    "tainted": re.compile(r"(\d{1,6}) node\(s\) had (?:untolerated |un-tolerated )?taint"),
    "cordoned": re.compile(r"(\d{1,6}) node\(s\) were unschedulable"),
    "selector_mismatch": re.compile(r"(\d{1,6}) node\(s\) didn't match Pod's node affinity"),
}
_READY: Final = re.compile(r" +Ready +(True|False|Unknown) .*? ([A-Z]\w{3,60}) +\S.*")
_GPU_LABEL: Final = re.compile(r"nvidia\.com/gpu\.(?:present=true|count=[1-9])")
_POD_KEYS: Final = frozenset({"Namespace", "Priority", "Service Account", "QoS Class", "Containers"})
_NODE_KEYS: Final = frozenset({"Roles", "Capacity", "Allocatable", "Unschedulable", "System Info"})


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``Name:`` followed by keys that only pods or nodes have."""
    del path
    name: Line | None = None
    for line in _fabric_text.head_lines(head):
        field = _FIELD.fullmatch(line.text)
        if field is None or field[1]:
            continue
        if field[2] == "Name":
            name = line
        elif name is not None and field[2] in _POD_KEYS | _NODE_KEYS:
            return _fabric_text.claim(90, "begins a described pod or node", head, name.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read every described object of the file; ``path`` is not used."""
    del path
    rows: list[Row] = []
    thing: _Thing | None = None
    for line in _fabric_text.lines(data):
        field = _FIELD.fullmatch(line.text)
        if field and not field[1] and field[2] == "Name":
            rows.extend(thing.rows() if thing else ())
            thing = _Thing(line, field[3].strip())
        elif thing is not None:
            thing.take(line, field)
    rows.extend(thing.rows() if thing else ())
    return Dump(rows)


class _Thing:
    """One described pod or node, line by line."""

    def __init__(self, line: Line, name: str) -> None:
        self._line = line
        self._name = name
        self._is_node = False
        self._section = ""
        self._part = ""
        self._values: dict[str, Any] = {}
        self._events: list[tuple[Line, re.Match[str]]] = []

    def take(self, line: Line, field: re.Match[str] | None) -> None:
        """Take one line."""
        if field and not field[1]:
            self._section = field[2]
            self._is_node = self._is_node or field[2] in _NODE_KEYS
            self._top(field[2], field[3].strip())
            return
        if field:
            self._part = field[2]
        self._inner(line, field)

    def rows(self) -> list[Row]:
        """The object's row, and one an event."""
        who = {"node": self._name} if self._is_node else {"pod": self._name} | self._place()
        table = "k8s_nodes" if self._is_node else "k8s_pods"
        known = {column.name for column in (NODES if self._is_node else PODS).columns}
        own = {name: item for name, item in (self._values | who).items() if name in known}
        kind = {"kind": "node" if self._is_node else "pod"}
        events = [_fabric_text.row("k8s_events", line, who | kind | _event(match)) for line, match in self._events]
        return [_fabric_text.row(table, self._line, own), *events]

    def _place(self) -> dict[str, Any]:
        return {name: self._values[name] for name in ("namespace", "node") if name in self._values}

    def _top(self, key: str, text: str) -> None:
        absent = text in ("", "<none>")
        if key == "Namespace":
            self._values["namespace"] = text
        elif key == "Node" and not absent:
            self._values["node"] = text.split("/", maxsplit=1)[0]
        elif key == "Status":
            self._values["status"] = text
        elif key == "Unschedulable":
            self._values["unschedulable"] = text == "true"
        elif key == "Taints" and not absent:
            self._values["taints"] = text
        elif key == "Labels":
            self._label(text)

    def _inner(self, line: Line, field: re.Match[str] | None) -> None:
        resource = _RESOURCE.fullmatch(line.text)
        if resource:
            self._resource(int(resource[1]))
        elif self._section == "Events" and (event := _EVENT.fullmatch(line.text)):
            self._events.append((line, event))
        elif self._section == "Conditions" and (ready := _READY.fullmatch(line.text)):
            self._values |= {"ready": ready[1] == "True", "ready_reason": ready[2]}
        elif self._section == "Labels":
            self._label(line.text)
        elif field and field[2] == "Reason" and self._section in ("Containers", "Init Containers"):
            self._values.setdefault("reason", field[3].strip())
        elif field and field[2] == "Medium" and field[3].strip() == "Memory":
            self._values["memory_backed_shm"] = True

    def _label(self, text: str) -> None:
        if _GPU_LABEL.search(text):
            self._values["gpu_labelled"] = True

    def _resource(self, count: int) -> None:
        node_columns = {"Capacity": "gpu_capacity", "Allocatable": "gpu_allocatable"}
        if self._section in node_columns:
            self._values[node_columns[self._section]] = count
        elif self._section == "Allocated resources":
            self._values["gpu_allocated"] = count
        elif self._section == "Containers" and self._part == "Requests":
            self._values["gpus"] = self._values.get("gpus", 0) + count


def _event(event: re.Match[str]) -> dict[str, Any]:
    age = _AGE.fullmatch(event["age"])
    message = event["message"].strip()
    values: dict[str, Any] = {
        "type": event["type"],
        "reason": event["reason"],
        "reporter": event["source"],
        "message": message[:MAX_TEXT],
        "age_s": _seconds(age[1]) if age else None,
        "count": int(age[2]) if age and age[2] else 1,
        "lasting_s": _seconds(age[3]) if age and age[3] else None,
    }
    nodes = _SCHEDULER.search(message)
    if nodes:
        first = message.partition("preemption:")[0]
        values |= {"nodes_available": int(nodes[1]), "nodes_total": int(nodes[2])}
        values |= {name: int(found[1]) for name, form in _COUNTS.items() if (found := form.search(first))}
    return values


def _seconds(text: str) -> int | None:
    """Seconds of an age such as ``61s``, ``3h12m``, ``5d``."""
    parts = _DURATION.findall(text)
    return sum(int(count) * _UNITS[unit] for count, unit in parts) if parts else None
