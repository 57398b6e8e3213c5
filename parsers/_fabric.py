"""Tables of the fabric parsers: what ``ibstat``, ``iblinkinfo``, ``mlxlink`` and their relatives have in common.

Spellings shared by all of them: GUIDs are ``0x`` and 16 lower-case digits; logical states are ``Down``,
``Initializing``, ``Armed``, ``Active``; physical states are ``LinkUp``, ``Polling``, ``Disabled``, ``Sleep``,
``Training``, ``ErrorRecovery``, ``PhyTest``; ``port_id`` is ``<node description>/<port>`` as printed.
"""

from __future__ import annotations

from typing import Final

from analyzer.model.formats import Format, Kind
from analyzer.model.tables import Column, TableSpec

FAMILY: Final = "fabric"


def fabric_format(name: str, title: str, kind: Kind = "table", *more: str) -> Format:
    """Declare a format of the fabric family, ``more`` naming further families."""
    return Format(name, kind, frozenset({FAMILY, *more}), title)


_GUID = Column("guid", "str", "GUID as printed")
_GUID_ID = Column(
    "guid_id", "str", "port GUID, of a switch port the switch's; 0x and 16 digits, null if all zero", "guid"
)
_DESC = Column("node_desc", "str", "node description as printed")
_HOST = Column("host", "str", "host named by the description", "node")
_HCA = Column("hca", "str", "adapter named by the description, e.g. mlx5_0 or HCA-1", "nic")
_SWITCH = Column("switch", "str", "short name of the switch, e.g. leaf-02 of MF0;leaf-02:MQM8700/U1", "switch")
_PORT = Column("port", "int", "port number")
_PORT_ID = Column("port_id", "str", "<node description>/<port>; the GUID or device where that names nothing", "port")
_LID = Column("lid", "int", "LID; 0 not assigned yet, 65535 on a down port, 0 always on Ethernet")
_STATE = Column("state", "str", "logical state: Down, Initializing, Armed, Active")
_PHYS = Column(
    "phys_state", "str", "physical state: LinkUp, Polling, Disabled, Sleep, Training, ErrorRecovery, PhyTest"
)
_WIDTH = Column("width", "int", "active lanes; null while the link is down")
_SPEED = Column("speed_gbps", "float", "signalling rate per lane; null while the link is down")
_LINK = Column("link_id", "str", "both port_id in order, joined by ' <-> '; null without a known peer", "link")
_DEVICE = Column("device", "str", "RDMA device or network interface, as far as the dump or its name says", "nic")

IB_PORTS: Final = TableSpec(
    "ib_ports",
    "A port as its own host or switch sees it",
    (
        Column("ca", "str", "adapter, e.g. mlx5_0", "nic"),
        _PORT,
        _PORT_ID,
        _GUID,
        _GUID_ID,
        Column("node_guid", "str", "GUID of the adapter; all zero on a virtual function that nobody gave one"),
        _DESC,
        _LID,
        Column("sm_lid", "int", "LID of the subnet manager; 0 none, and always on Ethernet"),
        _STATE,
        _PHYS,
        Column(
            "rate_gbps", "float", "rate of the whole link; null while it is down, as the printed value is a default"
        ),
        _WIDTH,
        _SPEED,
        Column("link_layer", "str", "InfiniBand or Ethernet"),
        Column("firmware", "str", "firmware version"),
        Column("ca_type", "str", "adapter type, e.g. MT4129"),
        Column("role", "str", "hca, switch, router or vf (a virtual function)"),
        Column("netdev", "str", "network interface of the port", "nic"),
        Column("mtu", "int", "active MTU in bytes"),
    ),
)

IB_LINKS: Final = TableSpec(
    "ib_links",
    "One end of a link as the fabric scan prints it; each link appears from both ends",
    (
        _GUID,
        _GUID_ID,
        _LID,
        _PORT,
        _PORT_ID,
        _DESC,
        Column("kind", "str", "ca, switch or router; null if the layout does not say"),
        _HOST,
        _HCA,
        _SWITCH,
        _STATE,
        _PHYS,
        _WIDTH,
        _SPEED,
        Column("peer_guid", "str", "GUID of the other end as far as the dump says", "guid"),
        Column("peer_lid", "int", "LID of the other end"),
        Column("peer_port", "int", "port number of the other end"),
        Column("peer_port_id", "str", "port_id of the other end", "port"),
        Column("peer_desc", "str", "node description of the other end"),
        Column("peer_kind", "str", "kind of the other end"),
        Column("peer_host", "str", "host at the other end", "node"),
        Column("peer_hca", "str", "adapter at the other end", "nic"),
        Column("peer_switch", "str", "switch at the other end", "switch"),
        Column("peer_known", "bool", "false: nothing connected, or a peer that does not answer"),
        _LINK,
        Column("could_width", "int", "lanes that both ends support, where more than the active width"),
        Column("could_speed_gbps", "float", "rate per lane that both ends support, where more than the active one"),
        Column("listing", "str", "full: the dump lists all ports; errors: only ports with errors"),
        Column("diff", "str", "< an end of the stored scan, > of this one (iblinkinfo --diff); null otherwise"),
    ),
)

IB_COUNTERS: Final = TableSpec(
    "ib_counters",
    "One counter of one port: a total since the counters were last cleared",
    (
        _GUID,
        _GUID_ID,
        _LID,
        _DESC,
        _HOST,
        _HCA,
        _SWITCH,
        _PORT,
        _PORT_ID,
        Column("counter", "str", "name as perfquery spells it, e.g. SymbolErrorCounter"),
        Column("value", "int", "value"),
        Column("saturated", "bool", "the counter stands at its maximum: at least this many"),
    ),
)

IB_CHECKS: Final = TableSpec(
    "ib_checks",
    "Summary of one fabric-wide counter check: what was looked at",
    (
        Column("tool", "str", "program that made the check"),
        Column("nodes_checked", "int", "nodes asked"),
        Column("bad_nodes", "int", "nodes with a value above the threshold, by default any value above zero"),
        Column("ports_checked", "int", "ports asked"),
        Column("bad_ports", "int", "ports with a value above the threshold"),
        Column("totals_skipped", "int", "lines 'port ALL' left out, as they repeat the ports' own values"),
        Column("thresholds", "str", "thresholds as printed; empty means zero for all"),
        Column("suppressed", "strs", "counters left out of the check"),
    ),
)

SM_INFO: Final = TableSpec(
    "sm_info",
    "A subnet manager that answered, or an attempt to reach one that failed",
    (
        Column("tool", "str", "program that asked"),
        Column("ok", "bool", "false: no subnet manager answered; null: the program could not ask"),
        _LID,
        _GUID,
        _GUID_ID,
        Column("state", "str", "NOTACTIVE, DISCOVERING, STANDBY or MASTER"),
        Column("priority", "int", "priority, 0 to 15"),
        Column("activity", "int", "activity count"),
        Column("reason", "str", "why not: timeout, not_found, no_device, denied"),
    ),
)

_BER = "; 0 where the tool prints its form of zero, 15E-255"

LINK_DIAG: Final = TableSpec(
    "link_diag",
    "Link diagnosis of one port by its own adapter or switch firmware",
    (
        _DEVICE,
        _PORT_ID,
        Column("state", "str", "state as printed, e.g. Active, Polling, Disable"),
        Column("phys_state", "str", "physical state as printed"),
        Column("speed", "str", "speed as printed, e.g. IB-NDR, 200G; null without a link"),
        Column("width", "int", "active lanes; null without a link"),
        Column("fec", "str", "forward error correction as printed"),
        Column("auto_negotiation", "str", "ON, or FORCE with the forced speed"),
        Column("loopback", "str", "loopback mode as printed"),
        Column("opcode", "int", "status opcode; 0 no issue"),
        Column("opcode_group", "str", "group of the opcode, e.g. PHY FW"),
        Column("recommendation", "str", "the firmware's own words"),
        Column("effective_ber", "float", "bit error ratio behind FEC" + _BER),
        Column("raw_ber", "float", "bit error ratio before FEC, of the worst lane if printed per lane" + _BER),
        Column("symbol_ber", "float", "symbol error ratio" + _BER),
        Column("effective_errors", "int", "errors behind FEC since the last clear"),
        Column("symbol_errors", "int", "symbol errors since the last clear"),
        Column("link_downed", "int", "link-down events since the last clear"),
        Column("link_recovery", "int", "link error recoveries since the last clear"),
        Column("since_clear_min", "float", "minutes since the counters were cleared"),
        Column("temperature_c", "float", "module temperature"),
        Column("temperature_low_c", "float", "the module's own lower limit"),
        Column("temperature_high_c", "float", "the module's own upper limit"),
        Column("voltage_mv", "float", "module supply voltage"),
        Column("rx_power_dbm", "strs", "received power per lane as printed"),
        Column("tx_power_dbm", "strs", "sent power per lane as printed"),
        Column("raw_errors", "strs", "errors before FEC per lane as printed"),
        Column("identifier", "str", "module form, e.g. OSFP"),
        Column("vendor", "str", "module maker"),
        Column("part_number", "str", "module part number"),
        Column("serial", "str", "module serial number", "cable"),
        Column("technology", "str", "cable technology or compliance"),
        Column("firmware", "str", "firmware version of the device"),
    ),
)

LINK_LANES: Final = TableSpec(
    "link_lanes",
    "One lane of a port's module",
    (
        _DEVICE,
        _PORT_ID,
        Column("lane", "int", "lane, from 0"),
        Column("rx_power_dbm", "float", "received power"),
        Column("rx_power_low_dbm", "float", "the module's own lower limit"),
        Column("rx_power_high_dbm", "float", "the module's own upper limit"),
        Column("tx_power_dbm", "float", "sent power"),
        Column("tx_power_low_dbm", "float", "the module's own lower limit"),
        Column("tx_power_high_dbm", "float", "the module's own upper limit"),
        Column("bias_ma", "float", "laser bias current"),
        Column("raw_errors", "int", "errors before FEC since the last clear"),
        Column("lanes", "int", "lanes that the module reports"),
        Column("width", "int", "active lanes of the link"),
    ),
)

LINK_FACTS: Final = TableSpec(
    "link_facts",
    "One line of a port's link diagnosis, for citing the very line",
    (
        _DEVICE,
        _PORT_ID,
        Column("section", "str", "section title, e.g. Module Info"),
        Column("key", "str", "key as printed"),
        Column("value", "str", "value as printed"),
        Column("number", "float", "value as a number where it begins with one"),
    ),
)

GIDS: Final = TableSpec(
    "gids",
    "An entry of a port's GID table",
    (
        _DEVICE,
        _PORT,
        _PORT_ID,
        Column("index", "int", "index in the table"),
        Column("gid", "str", "GID in full form"),
        Column("ipv4", "str", "IPv4 address that the GID maps"),
        Column("version", "str", "v1 (RoCE v1 or InfiniBand) or v2 (RoCE v2)"),
        Column("link_local", "bool", "the GID is fe80::/64"),
        Column("netdev", "str", "network interface", "nic"),
    ),
)

NIC_COUNTERS: Final = TableSpec(
    "nic_counters",
    "One counter of an adapter: a total since the driver was loaded",
    (
        _DEVICE,
        _PORT,
        Column("counter", "str", "name as printed"),
        Column("value", "int", "value"),
        Column("sample", "int", "which reading of the file, from 0"),
    ),
)

QOS: Final = TableSpec(
    "qos",
    "Flow-control settings of one priority of an interface",
    (
        _DEVICE,
        Column("priority", "int", "priority, 0 to 7; null in the row that holds only settings of the whole interface"),
        Column("pfc_enabled", "bool", "priority flow control is on"),
        Column("trust", "str", "pcp or dscp"),
        Column("dcbx", "str", "who controls the settings, as printed"),
        Column("pfc_any", "bool", "priority flow control is on for at least one priority"),
        Column("global_pause_rx", "bool", "global pause is obeyed"),
        Column("global_pause_tx", "bool", "global pause is sent"),
    ),
)

RDMA_DEVICES: Final = TableSpec(
    "rdma_devices",
    "An RDMA device",
    (
        _DEVICE,
        Column("ca_type", "str", "adapter type or vendor part, e.g. MT4129"),
        Column("firmware", "str", "firmware version"),
        Column("board_id", "str", "board (PSID)"),
        Column("node_guid", "str", "GUID of the device; null if all zero", "guid"),
        Column("system_guid", "str", "GUID shared by the functions of one card"),
        Column("has_guid", "bool", "false: the GUID is all zero, as on a virtual function that nobody gave one"),
        Column("transport", "str", "transport as printed"),
        Column("ports", "int", "number of ports"),
    ),
)

IB_NODES: Final = TableSpec(
    "ib_nodes",
    "A node of the fabric as a topology scan lists it",
    (
        Column("kind", "str", "ca, switch or router"),
        Column("node_guid", "str", "GUID of the node", "guid"),
        _DESC,
        _HOST,
        _HCA,
        _SWITCH,
        _LID,
        Column("ports", "int", "number of ports"),
    ),
)

NETDEVS: Final = TableSpec(
    "netdevs",
    "A network interface of a host",
    (
        Column("device", "str", "interface", "nic"),
        Column("mtu", "int", "MTU in bytes"),
        Column("oper_state", "str", "operational state as printed, e.g. UP, DOWN, UNKNOWN"),
        Column("up", "bool", "the interface is switched on"),
        Column("carrier", "bool", "the interface has a carrier; null while it is switched off"),
        Column("link_type", "str", "ether, infiniband, loopback or another link type"),
        Column("address", "str", "link-layer address"),
        Column("ips", "strs", "IP addresses with prefix lengths"),
        Column("pci", "str", "PCI address of the adapter"),
    ),
)

SRIOV_VFS: Final = TableSpec(
    "sriov_vfs",
    "A virtual function as its physical function's interface lists it",
    (
        Column("device", "str", "interface of the physical function", "nic"),
        Column("vf", "int", "number of the virtual function"),
        Column("node_guid", "str", "node GUID; all zero if nobody gave one"),
        Column("port_guid", "str", "port GUID; all zero if nobody gave one"),
        Column("has_guid", "bool", "false: node or port GUID is all zero; null on Ethernet"),
        Column("link_state", "str", "auto, enable or disable"),
    ),
)

SM_OPTIONS: Final = TableSpec(
    "sm_options",
    "One option of a subnet manager's configuration file",
    (
        Column("option", "str", "name of the option"),
        Column("value", "str", "value as written"),
        Column("number", "int", "value as a number, decimal or hexadecimal"),
    ),
)

SWITCH_PARTS: Final = TableSpec(
    "switch_parts",
    "One reading of a switch: state of a power supply or of the fans, a temperature, a speed, a power",
    (
        Column("switch_desc", "str", "node description of the switch"),
        _SWITCH,
        Column("switch_guid", "str", "GUID of the switch", "guid"),
        Column("part", "str", "PSU0, PSU1, fan or switch"),
        Column("reading", "str", "name of the reading as printed"),
        Column("value", "str", "value as printed"),
        Column("number", "float", "value as a number"),
        Column("ok", "bool", "for states: true only for OK; null for other readings"),
    ),
)
