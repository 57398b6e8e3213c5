"""Zip archives in every form that packers write, damaged ones among them."""

from __future__ import annotations

import io
import pathlib
import struct
import zipfile

import pytest

from analyzer.bundle import Limits
from tests.bundle.conftest import Reading, read_all, tar_bytes

LINES = b"".join(b"line %d of a log that is long enough\n" % number for number in range(5_000))


class OneWay(io.RawIOBase):
    """A target that cannot be moved in, as a pipe: entries get data descriptors."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self.data += memoryview(data)  # type: ignore[arg-type]
        return len(memoryview(data))  # type: ignore[arg-type]


def zip_bytes(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def streamed_zip(files: dict[str, bytes]) -> bytes:
    target = OneWay()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return bytes(target.data)


def read_zip(folder: pathlib.Path, data: bytes, limits: Limits | None = None) -> Reading:
    (folder / "x.zip").write_bytes(data)
    return read_all([folder / "x.zip"], limits)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_entries_come_in_stored_order(tmp_path: pathlib.Path, method: int) -> None:
    reading = read_zip(tmp_path, zip_bytes({"b/x.log": LINES, "a.log": b"a\n"}, method))
    assert list(reading.data.items()) == [("b/x.log", LINES), ("a.log", b"a\n")]
    assert reading.cuts == {}


def test_sizes_that_stand_behind_the_data_are_known_from_the_directory(tmp_path: pathlib.Path) -> None:
    reading = read_zip(tmp_path, streamed_zip({"a.log": LINES, "b.log": b"b\n"}))
    assert (reading.data, reading.cuts) == ({"a.log": LINES, "b.log": b"b\n"}, {})


def test_sizes_of_64_bits_are_read(tmp_path: pathlib.Path) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive, archive.open("a.log", "w", force_zip64=True) as entry:
        entry.write(b"a\n")
    data = target.getvalue()
    start = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    wide = b"\xff" * 4
    extra = struct.pack("<2H3Q", 1, 24, 2, 2, 0)
    entry_bytes = bytearray(data[start:end][:46] + b"a.log" + extra)
    entry_bytes[20:28], entry_bytes[30:32], entry_bytes[42:46] = wide * 2, struct.pack("<H", len(extra)), wide
    record = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, len(entry_bytes), start)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, start + len(entry_bytes), 1)
    last = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    reading = read_zip(tmp_path, data[:start] + bytes(entry_bytes) + record + locator + last)
    assert (reading.data, reading.cuts) == ({"a.log": b"a\n"}, {})


def test_a_comment_behind_the_directory_does_no_harm(tmp_path: pathlib.Path) -> None:
    target = io.BytesIO(zip_bytes({"a.log": b"a\n"}))
    with zipfile.ZipFile(target, "a") as archive:
        archive.comment = b"c" * 60_000
    assert read_zip(tmp_path, target.getvalue()).data == {"a.log": b"a\n"}


def test_a_truncated_archive_gives_the_entries_so_far(tmp_path: pathlib.Path) -> None:
    data = zip_bytes({"a.log": b"a\n", "b.log": LINES, "c.log": b"c\n"})
    reading = read_zip(tmp_path, data[: data.index(b"c.log")])
    assert (reading.data, reading.cuts) == ({"a.log": b"a\n", "b.log": LINES}, {})
    refused = reading.refused["x.zip"]
    assert (refused.status, refused.reason.split(":")[0]) == ("partial", "truncated or damaged zip file")


def test_an_archive_truncated_inside_an_entry_gives_its_beginning(tmp_path: pathlib.Path) -> None:
    data = zip_bytes({"a.log": b"a\n", "b.log": LINES})
    reading = read_zip(tmp_path, data[: data.index(b"b.log") + 2_000])
    assert LINES.startswith(reading.data["b.log"]) and reading.data["b.log"]
    assert reading.cuts == {"b.log": "truncated zip entry"}


def test_a_streamed_archive_without_its_end_is_read_too(tmp_path: pathlib.Path) -> None:
    data = streamed_zip({"a.log": LINES, "b.log": b"b\n"})
    assert read_zip(tmp_path, data[: data.index(b"PK\x01\x02")]).data == {"a.log": LINES, "b.log": b"b\n"}


def test_a_changed_byte_is_noticed_by_the_checksum(tmp_path: pathlib.Path) -> None:
    data = bytearray(zip_bytes({"a.log": LINES}, zipfile.ZIP_STORED))
    data[5_000] ^= 1
    assert read_zip(tmp_path, bytes(data)).cuts == {"a.log": "damaged zip entry: wrong checksum"}


def test_an_entry_that_does_not_exist_costs_only_itself(tmp_path: pathlib.Path) -> None:
    data = bytearray(zip_bytes({"a.log": b"a\n", "b.log": b"b\n"}))
    place = data.index(b"PK\x01\x02")
    data[place + 42 : place + 46] = struct.pack("<I", 3)
    reading = read_zip(tmp_path, bytes(data))
    assert reading.data == {"a.log": b"", "b.log": b"b\n"}
    assert reading.cuts == {"a.log": "damaged zip entry: no header where the directory says"}


def test_entries_of_the_same_name_are_numbered(tmp_path: pathlib.Path) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.log", "1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.log", "2")
    assert read_zip(tmp_path, target.getvalue()).data == {"a.log": b"1", "a.log#2": b"2"}


def test_names_that_differ_by_case_are_different_members(tmp_path: pathlib.Path) -> None:
    files = {"node/Messages": b"1", "node/messages": b"2"}
    assert read_zip(tmp_path, zip_bytes(files)).data == files


def test_other_methods_are_refused_with_a_remedy(tmp_path: pathlib.Path) -> None:
    reading = read_zip(tmp_path, zip_bytes({"a.log": LINES}, zipfile.ZIP_BZIP2))
    assert (
        reading.refused["a.log"].reason
        == "compressed with method 12, only stored and deflated are read: unpack it first"
    )


def test_names_in_the_old_code_page_are_readable(tmp_path: pathlib.Path) -> None:
    data = zip_bytes({"Ger_t.log": b"x"}).replace(b"Ger_t", b"Ger\x84t")
    assert read_zip(tmp_path, data).order == ["Gerät.log"]


def test_an_empty_archive_has_no_members(tmp_path: pathlib.Path) -> None:
    reading = read_zip(tmp_path, zip_bytes({}))
    assert (reading.order, reading.refused) == ([], {})


def test_overlapping_entries_are_bounded_by_the_size_of_the_file(tmp_path: pathlib.Path) -> None:
    entry = zip_bytes({"0": bytes(900_000)})
    start = entry.index(b"PK\x01\x02")
    directory = b"".join(entry[start : start + 46] + b"0" for _ in range(2_000))
    last = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 2_000, 2_000, len(directory), start, 0)
    reading = read_zip(tmp_path, entry[:start] + directory + last, Limits(ratio_floor_bytes=1 << 20))
    assert sum(map(len, reading.data.values())) < 40_000_000
    assert "the bundle expands more than 250 times" in next(reversed(reading.refused.values())).reason


def test_many_zip_files_in_a_folder_keep_no_file_open(tmp_path: pathlib.Path) -> None:
    for number in range(50):
        (tmp_path / f"{number:02d}.zip").write_bytes(zip_bytes({"a.log": b"a\n"}))
    before = len(list(pathlib.Path("/proc/self/fd").iterdir())) if pathlib.Path("/proc/self/fd").exists() else 0
    reading = read_all([tmp_path])
    after = len(list(pathlib.Path("/proc/self/fd").iterdir())) if pathlib.Path("/proc/self/fd").exists() else 0
    assert (len(reading.order), after) == (50, before)


def test_a_zip_inside_an_archive_is_held_only_up_to_a_limit(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"n1.zip": zip_bytes({"a.log": LINES}), "b.log": b"b\n"}))
    reading = read_all([tmp_path / "x.tar"], Limits(nested_zip_bytes=1_000))
    reason = "zip file of more than 1,000 bytes inside another archive (raise with --limit nested_zip_bytes=N)"
    assert (reading.refused["n1.zip"].reason, reading.data) == (reason, {"b.log": b"b\n"})


def test_entries_of_a_zip_inside_an_archive_stay_readable_after_the_walk(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"n1.zip": zip_bytes({"a.log": LINES, "b.log": b"b\n"})}))
    reading = read_all([tmp_path / "x.tar"])
    assert [reading.members[name].open().read() for name in reading.order] == [LINES, b"b\n"]
