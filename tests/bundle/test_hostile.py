"""What a stranger may hand over besides well-formed archives; every case ends with a reason and partial results."""

from __future__ import annotations

import gzip
import io
import os
import pathlib
import struct
import tarfile

import pytest
import zstandard

from analyzer.bundle import Limits, Member, StreamCutError, open_bundle
from tests.bundle.conftest import read_all, special_entry, tar_bytes
from tests.bundle.test_zipfiles import zip_bytes

SKIPPABLE = b"\x53\x2a\x4d\x18"


def pack(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def skippable(size: int) -> bytes:
    return SKIPPABLE + struct.pack("<I", size) + bytes(size)


def test_control_characters_of_a_name_stay_in_its_path_only(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"\x1b[31mred\n\u202e.log": b"x"}))
    assert read_all([tmp_path / "x.tar"]).data == {"\x1b[31mred\n\u202e.log": b"x"}


def test_a_name_in_an_archive_that_is_not_utf8_is_shown_escaped(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"\udcff.log": b"x"}))
    assert read_all([tmp_path / "x.tar"]).order == ["\\xff.log"]


def test_names_that_differ_by_case_are_different_members(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"Messages": b"1", "messages": b"2"}))
    assert read_all([tmp_path / "x.tar"]).data == {"Messages": b"1", "messages": b"2"}


def test_an_archive_in_an_archive_in_a_folder_is_cited_with_both_names(tmp_path: pathlib.Path) -> None:
    inner = gzip.compress(tar_bytes({"nodes/n1/dmesg.txt": b"d\n"}))
    (tmp_path / "day1").mkdir()
    (tmp_path / "day1" / "all.zip").write_bytes(zip_bytes({"n1.tar.gz": inner}))
    assert read_all([tmp_path]).data == {"day1/all.zip!n1.tar.gz!nodes/n1/dmesg.txt": b"d\n"}


@pytest.mark.slow
def test_a_hundred_thousand_members_are_read(tmp_path: pathlib.Path) -> None:
    header = tar_bytes({"n.log": b""})[:512]
    (tmp_path / "x.tar").write_bytes(header * 100_000 + bytes(1024))
    with open_bundle([str(tmp_path / "x.tar")]) as bundle:
        assert sum(isinstance(item, Member) for item in bundle.members()) == 100_000


def test_archives_put_one_behind_the_other_are_read_as_one(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"a": b"1"}) + tar_bytes({"b": b"2"}))
    assert read_all([tmp_path / "x.tar"]).data == {"a": b"1", "b": b"2"}


def test_other_data_behind_an_archive_is_reported(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"a": b"1"}) + b"junk" * 1_000)
    reading = read_all([tmp_path / "x.tar"])
    assert reading.data == {"a": b"1"}
    assert reading.refused["x.tar"].reason == "other data follows the archive; the rest was not read"


@pytest.mark.parametrize("form", ["gnu", "pax 0.1", "pax 1.0"])
def test_the_data_of_a_sparse_file_is_read_without_its_holes(tmp_path: pathlib.Path, form: str) -> None:
    data = b"first\n".ljust(512, b"\0") + b"second\n".ljust(512, b"\0")
    entry = tarfile.TarInfo("a.log")
    if form == "gnu":
        entry.type = tarfile.GNUTYPE_SPARSE
    elif form == "pax 0.1":
        entry.pax_headers = {"GNU.sparse.name": "real.log", "GNU.sparse.map": "0,512,99328,512"}
    else:
        entry.pax_headers = {"GNU.sparse.name": "real.log", "GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
        data = b"2\n0\n512\n99328\n512\n".ljust(512, b"\0") + data
    entry.size = len(data)
    head = entry.tobuf(tarfile.GNU_FORMAT if form == "gnu" else tarfile.PAX_FORMAT)
    (tmp_path / "x.tar").write_bytes(head + data + tar_bytes({"b.log": b"b\n"}))
    reading = read_all([tmp_path / "x.tar"])
    name = "a.log" if form == "gnu" else "real.log"
    assert reading.data[name].replace(b"\0", b"") == b"first\nsecond\n"
    assert (reading.data["b.log"], reading.cuts, reading.refused) == (b"b\n", {}, {})


def test_a_hard_link_is_read_under_the_name_it_was_stored_first(tmp_path: pathlib.Path) -> None:
    data = tar_bytes({"a.log": b"a\n"}, special_entry("b.log", tarfile.LNKTYPE, "a.log"))
    (tmp_path / "x.tar").write_bytes(data)
    reading = read_all([tmp_path / "x.tar"])
    assert (reading.data, reading.refused["b.log"].status) == ({"a.log": b"a\n"}, "unrecognised")


def test_frames_of_zstd_without_content_are_passed(tmp_path: pathlib.Path) -> None:
    data = skippable(5) + pack(b"one\n") + skippable(300_000) + pack(b"") + pack(b"two\n") + skippable(0)
    (tmp_path / "x.zst").write_bytes(data)
    reading = read_all([tmp_path / "x.zst"])
    assert (reading.data, reading.cuts) == ({"x.zst": b"one\ntwo\n"}, {})


def test_a_frame_without_content_that_is_cut_short_is_reported(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.zst").write_bytes(pack(b"one\n") + skippable(500)[:100])
    assert read_all([tmp_path / "x.zst"]).cuts == {"x.zst": "truncated zstd data"}


def test_zstd_data_that_needs_more_memory_than_it_may_says_what_to_do(tmp_path: pathlib.Path) -> None:
    frame = b"\x28\xb5\x2f\xfd\x00" + bytes([(31 - 10) << 3]) + b"\x01\x00\x00"
    (tmp_path / "x.zst").write_bytes(frame)
    reason = read_all([tmp_path / "x.zst"]).cuts["x.zst"]
    assert reason == "zstd data that needs more than 256 MiB of memory: decompress it first"


def test_an_empty_member_of_several_does_not_end_a_gzip_file(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"") + gzip.compress(b"a\n") + gzip.compress(b"b\n"))
    assert read_all([tmp_path / "x.gz"]).data == {"x.gz": b"a\nb\n"}


@pytest.mark.parametrize("head", [b"\x1f\x9d\x90", b"070701", b"LZIP\x01", b"\x04\x22\x4d\x18", b"Rar!\x1a\x07"])
def test_what_cannot_be_read_is_refused_with_a_remedy(tmp_path: pathlib.Path, head: bytes) -> None:
    (tmp_path / "x.bin").write_bytes(head + bytes(600))
    assert " it first (" in read_all([tmp_path]).refused["x.bin"].reason


def test_a_log_that_grows_is_read_up_to_the_size_it_had(tmp_path: pathlib.Path) -> None:
    log = tmp_path / "messages"
    log.write_bytes(b"one\n" * 2_000)
    with open_bundle([str(tmp_path)]) as bundle:
        (member,) = [item for item in bundle.members() if isinstance(item, Member)]
    with member.open() as stream, log.open("ab") as writer:
        first = stream.read(4)
        writer.write(b"two\n")
        writer.flush()
        assert first + stream.read() == b"one\n" * 2_000


def test_a_log_that_is_cut_while_it_is_read_ends_early(tmp_path: pathlib.Path) -> None:
    log = tmp_path / "messages"
    log.write_bytes(b"one\n" * 2_000)
    with open_bundle([str(tmp_path)]) as bundle:
        (member,) = [item for item in bundle.members() if isinstance(item, Member)]
    buffer = bytearray(4)
    with member.open() as stream:
        stream.readinto(buffer)
        os.truncate(log, 4)
        with pytest.raises(StreamCutError, match="became shorter while it was read"):
            stream.readinto(buffer)


def test_a_pipe_that_took_the_place_of_a_log_does_not_block(tmp_path: pathlib.Path) -> None:
    log = tmp_path / "messages"
    log.write_bytes(b"one\n")
    with open_bundle([str(tmp_path)]) as bundle:
        (member,) = [item for item in bundle.members() if isinstance(item, Member)]
    log.unlink()
    os.mkfifo(log)
    with member.open() as stream, pytest.raises(StreamCutError, match="no longer a regular file"):
        stream.readinto(bytearray(4))


def test_a_file_of_holes_is_bounded_by_what_it_takes_on_disk(tmp_path: pathlib.Path) -> None:
    with (tmp_path / "messages").open("wb") as target:
        target.write(b"one\n")
        target.truncate(200 << 20)
    reading = read_all([tmp_path], Limits(ratio_floor_bytes=1 << 20))
    assert len(reading.data["messages"]) < 32 << 20
    assert reading.cuts["messages"].startswith("the bundle expands more than 250 times")


def test_links_that_lead_in_a_circle_are_not_followed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "self").symlink_to("self")
    (tmp_path / "a" / "x.log").write_bytes(b"x\n")
    reading = read_all([tmp_path])
    assert reading.order == ["a/x.log"]
    assert reading.refused.keys() == {"a/up", "self"}


def test_a_folder_that_may_not_be_listed_is_reported(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b.log").write_bytes(b"b\n")
    real = pathlib.Path.iterdir

    def guarded(self: pathlib.Path) -> object:
        if self.name == "a":
            raise PermissionError(13, "Permission denied")
        return real(self)

    monkeypatch.setattr(pathlib.Path, "iterdir", guarded)
    reading = read_all([tmp_path])
    assert (reading.order, reading.refused["a"].reason) == (["b.log"], "permission denied")


def test_many_zip_files_in_an_archive_are_not_held_together(tmp_path: pathlib.Path) -> None:
    """Each is let go of before the next is read: what is held at a time is counted."""
    content = os.urandom(40_000)
    files = {f"{number}.zip": zip_bytes({"a.log": content}) for number in range(20)}
    (tmp_path / "x.tar").write_bytes(tar_bytes(files))
    with open_bundle([str(tmp_path / "x.tar")], Limits(held_bytes=100_000)) as bundle:
        members = [item for item in bundle.members() if isinstance(item, Member)]
    assert sum(member.streamed for member in members) > 15


def test_an_error_of_a_decoder_comes_behind_everything_before_it(tmp_path: pathlib.Path) -> None:
    text = b"".join(b"line %d %s\n" % (number, os.urandom(8).hex().encode()) for number in range(30_000))
    packed = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(text))
    packed[len(packed) // 2] ^= 0xFF
    (tmp_path / "x.zst").write_bytes(packed)
    reading = read_all([tmp_path / "x.zst"])
    assert reading.cuts["x.zst"].startswith("damaged zstd data")
    assert len(reading.data["x.zst"]) > len(text) // 4


def test_gzip_written_by_standard_tools_with_name_and_comment_is_read(tmp_path: pathlib.Path) -> None:
    target = io.BytesIO()
    with gzip.GzipFile("messages", "wb", fileobj=target) as packed:
        packed.write(b"a\n")
    (tmp_path / "x.gz").write_bytes(target.getvalue())
    assert read_all([tmp_path / "x.gz"]).data == {"x.gz": b"a\n"}


@pytest.mark.parametrize(
    "inner", [b"\x1f\x8b\x08\x00" + b"\xff" * 40, b"BZh9" + bytes(40), b"\xfd7zXZ\x00" + bytes(40)]
)
def test_a_damaged_member_does_not_end_the_archive_around_it(tmp_path: pathlib.Path, inner: bytes) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"a.log": b"a\n", "bad.gz": inner, "c.log": b"c\n"}))
    reading = read_all([tmp_path / "x.tar"])
    assert reading.data == {"a.log": b"a\n", "bad.gz": b"", "c.log": b"c\n"}
    assert reading.cuts.keys() == {"bad.gz"}


def test_a_damaged_archive_inside_does_not_end_the_archive_around_it(tmp_path: pathlib.Path) -> None:
    damaged = {"bad.zip": b"PK\x05\x06" + bytes(40), "bad.tar.gz": gzip.compress(tar_bytes({"b.log": b"b\n"}))[:-60]}
    (tmp_path / "x.tar").write_bytes(tar_bytes({"a.log": b"a\n", **damaged, "c.log": b"c\n"}))
    reading = read_all([tmp_path / "x.tar"])
    assert (reading.data["a.log"], reading.data["c.log"]) == (b"a\n", b"c\n")
    assert "x.tar" not in reading.refused
