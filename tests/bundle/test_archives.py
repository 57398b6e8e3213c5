from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pathlib
import stat
import tarfile
import zipfile

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import Limits, Member, open_bundle
from analyzer.bundle.limits import Meter
from analyzer.bundle.streams import MemoryStream
from analyzer.bundle.tar import entries
from tests.bundle.conftest import Reading, read_all, special_entry, tar_bytes

PACKERS = {
    "gz": gzip.compress,
    "zst": zstandard.ZstdCompressor().compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
}
LINES = b"".join(b"line %d of a log that is long enough\n" % number for number in range(40_000))


def read_bytes(folder: pathlib.Path, name: str, data: bytes, limits: Limits | None = None) -> Reading:
    (folder / name).write_bytes(data)
    return read_all([folder / name], limits)


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_compressed_log_keeps_its_name(tmp_path: pathlib.Path, suffix: str) -> None:
    name = f"messages-20260301.{suffix}"
    assert read_bytes(tmp_path, name, PACKERS[suffix](LINES)).data == {name: LINES}


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_compressed_tar_gives_its_members_in_stored_order(tmp_path: pathlib.Path, suffix: str) -> None:
    data = PACKERS[suffix](tar_bytes({"top/b.log": LINES, "top/a.log": b"a\n"}))
    reading = read_bytes(tmp_path, f"x.tar.{suffix}", data)
    assert reading.order == ["top/b.log", "top/a.log"]
    assert reading.data["top/b.log"] == LINES
    assert reading.members["top/a.log"].modified_s == 1_773_035_675.0


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_truncated_log_delivers_its_bytes_and_then_ends_early(tmp_path: pathlib.Path, suffix: str) -> None:
    packed = PACKERS[suffix](LINES)
    reading = read_bytes(tmp_path, f"x.log.{suffix}", packed[: len(packed) * 2 // 3])
    got = reading.data[f"x.log.{suffix}"]
    assert LINES.startswith(got)
    assert reading.cuts[f"x.log.{suffix}"].startswith("truncated")


@pytest.mark.parametrize("suffix", PACKERS)
def test_concatenated_streams_are_one_log(tmp_path: pathlib.Path, suffix: str) -> None:
    packed = PACKERS[suffix](b"first\n") + PACKERS[suffix](b"second\n")
    assert read_bytes(tmp_path, f"x.{suffix}", packed).data == {f"x.{suffix}": b"first\nsecond\n"}


def test_damaged_data_ends_the_log_with_a_reason(tmp_path: pathlib.Path) -> None:
    packed = bytearray(gzip.compress(LINES))
    packed[len(packed) // 2 : len(packed) // 2 + 40] = bytes(40)
    assert read_bytes(tmp_path, "x.gz", bytes(packed)).cuts["x.gz"].startswith("damaged gzip data")


def test_other_data_behind_a_compressed_stream_is_reported(tmp_path: pathlib.Path) -> None:
    reading = read_bytes(tmp_path, "x.gz", gzip.compress(b"log\n") + b"garbage")
    assert reading.data["x.gz"] == b"log\n"
    assert reading.cuts["x.gz"] == "other data follows the gzip stream; it was not read"


def test_zero_padding_behind_a_compressed_stream_is_no_damage(tmp_path: pathlib.Path) -> None:
    assert read_bytes(tmp_path, "x.gz", gzip.compress(b"log\n") + bytes(600)).cuts == {}


def test_a_log_named_gz_that_is_plain_text_is_read_as_it_is(tmp_path: pathlib.Path) -> None:
    assert read_bytes(tmp_path, "x.log.gz", b"plain\n").data == {"x.log.gz": b"plain\n"}


def test_small_members_of_a_tar_stay_readable_after_the_walk(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar.gz").write_bytes(gzip.compress(tar_bytes({"a": b"1", "b": b"2"})))
    with open_bundle([str(tmp_path / "x.tar.gz")]) as bundle:
        members = [item for item in bundle.members() if isinstance(item, Member)]
    assert [member.open().read() for member in members] == [b"1", b"2"]


def test_members_beyond_what_may_be_held_must_be_read_in_turn(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes(dict.fromkeys("abcd", b"x" * 600)))
    with open_bundle([str(tmp_path / "x.tar")], Limits(held_bytes=1000)) as bundle:
        members: list[Member] = []
        for item in bundle.members():
            assert isinstance(item, Member)
            members.append(item)
            if item.streamed:
                members[0].open().close()
    assert [member.streamed for member in members] == [False, False, True, False]


def test_a_large_member_of_a_tar_must_be_read_before_the_next(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"big": LINES, "small": b"s"}))
    with open_bundle([str(tmp_path / "x.tar")], Limits(buffered_bytes=1000)) as bundle:
        big, small = [item for item in bundle.members() if isinstance(item, Member)]
    assert (big.streamed, small.streamed) == (True, False)
    with big.open() as stream, pytest.raises(EOFError, match="no longer available"):
        stream.readinto(bytearray(10))


def test_large_members_of_a_tar_are_read_in_turn(tmp_path: pathlib.Path) -> None:
    data = tar_bytes({"a": LINES, "b.gz": gzip.compress(LINES), "c": b"c"})
    reading = read_bytes(tmp_path, "x.tar", data, Limits(buffered_bytes=1000))
    assert reading.data == {"a": LINES, "b.gz": LINES, "c": b"c"}


def test_a_member_that_is_not_read_is_skipped(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_bytes({"big": LINES, "small": b"s"}))
    with open_bundle([str(tmp_path / "x.tar")], Limits(buffered_bytes=1000)) as bundle:
        assert [item.path for item in bundle.members()] == ["big", "small"]


def test_a_truncated_tar_gives_the_members_so_far_and_says_so(tmp_path: pathlib.Path) -> None:
    data = tar_bytes({"a": b"a\n", "b": LINES, "c": b"c"})
    reading = read_bytes(tmp_path, "x.tar", data[:100_000])
    assert reading.data["a"] == b"a\n"
    assert LINES.startswith(reading.data["b"])
    assert reading.cuts == {"b": "truncated"}
    assert (reading.refused["x.tar"].reason, reading.refused["x.tar"].status) == ("truncated", "partial")


def test_a_truncated_tar_gz_gives_the_members_so_far_and_says_so(tmp_path: pathlib.Path) -> None:
    data = gzip.compress(tar_bytes({"a": b"a\n", "b": LINES, "c": b"c"}))
    reading = read_bytes(tmp_path, "x.tar.gz", data[: len(data) // 2])
    assert reading.data["a"] == b"a\n"
    assert "b" in reading.cuts
    assert reading.refused["x.tar.gz"].reason == "truncated gzip data"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../x", "path with .. inside an archive"),
        ("a/../../x", "path with .. inside an archive"),
        ("/etc/passwd", "absolute path inside an archive"),
        ("C:\\x", "absolute path inside an archive"),
        ("..\\x", "path with .. inside an archive"),
    ],
)
def test_unsafe_names_in_a_tar_are_refused(tmp_path: pathlib.Path, name: str, reason: str) -> None:
    reading = read_bytes(tmp_path, "x.tar", tar_bytes({name: b"evil", "good": b"good"}))
    assert reading.refused[name].reason == reason
    assert reading.data == {"good": b"good"}


@pytest.mark.parametrize(
    ("kind", "target", "status"),
    [
        (tarfile.SYMTYPE, "/etc/shadow", "unreadable"),
        (tarfile.SYMTYPE, "../../x", "unreadable"),
        (tarfile.SYMTYPE, "good", "unrecognised"),
        (tarfile.LNKTYPE, "good", "unrecognised"),
        (tarfile.CHRTYPE, "", "unreadable"),
        (tarfile.BLKTYPE, "", "unreadable"),
        (tarfile.FIFOTYPE, "", "unreadable"),
    ],
)
def test_special_entries_of_a_tar_are_refused(tmp_path: pathlib.Path, kind: bytes, target: str, status: str) -> None:
    reading = read_bytes(tmp_path, "x.tar", tar_bytes({"good": b"good"}, special_entry("odd", kind, target)))
    assert reading.refused["odd"].status == status
    assert reading.data == {"good": b"good"}


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names_are_read_in_both_extensions(tmp_path: pathlib.Path, form: int) -> None:
    name = "/".join(["a-rather-long-folder-name"] * 12) + "/dmesg.txt"
    info = tarfile.TarInfo(name)
    info.size = 3
    with tarfile.open(tmp_path / "x.tar", "w", format=form) as archive:
        archive.addfile(info, io.BytesIO(b"abc"))
    assert read_all([tmp_path / "x.tar"]).data == {name: b"abc"}


def test_an_extension_header_of_any_stated_size_is_not_held_in_memory(tmp_path: pathlib.Path) -> None:
    huge = tarfile.TarInfo("x")
    huge.type = tarfile.XHDTYPE
    huge.size = 1 << 30
    reading = read_bytes(tmp_path, "x.tar", huge.tobuf() + bytes(2048))
    assert reading.refused["x.tar"].reason == "tar extension header too large; the rest was not read"


def test_archives_inside_an_archive_are_read_one_level_down(tmp_path: pathlib.Path) -> None:
    inner = gzip.compress(tar_bytes({"dmesg.txt": b"d\n"}))
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("sinfo.txt", "s\n")
    reading = read_bytes(tmp_path, "x.tar", tar_bytes({"n1.tar.gz": inner, "n2.zip": zipped.getvalue()}))
    assert reading.data == {"n1.tar.gz!dmesg.txt": b"d\n", "n2.zip!sinfo.txt": b"s\n"}


def test_archives_nested_deeper_are_refused(tmp_path: pathlib.Path) -> None:
    data = b"deep"
    for level in range(3):
        data = tar_bytes({f"level{level}.tar": data, "near": b"n"})
    reading = read_bytes(tmp_path, "x.tar", data, Limits(nesting=2))
    assert (
        reading.refused["level2.tar!level1.tar"].reason
        == "more than 2 archives inside each other (raise with --limit nesting=N)"
    )
    assert reading.data == {"near": b"n", "level2.tar!near": b"n"}


def test_a_gzip_bomb_is_cut_at_the_ratio(tmp_path: pathlib.Path) -> None:
    bomb = gzip.compress(bytes(4 << 20))
    reading = read_bytes(tmp_path, "x.gz", bomb, Limits(ratio_floor_bytes=1 << 20))
    assert reading.cuts["x.gz"] == "expands more than 250 times; the rest was not read (raise with --limit ratio=N)"
    assert 1 << 20 <= len(reading.data["x.gz"]) < 2 << 20


def test_a_zstd_bomb_is_cut_at_the_ratio(tmp_path: pathlib.Path) -> None:
    bomb = PACKERS["zst"](bytes(64 << 20))
    reading = read_bytes(tmp_path, "x.zst", bomb, Limits(ratio_floor_bytes=1 << 20))
    assert reading.cuts["x.zst"] == "expands more than 250 times; the rest was not read (raise with --limit ratio=N)"


def test_a_zip_bomb_is_cut_at_the_ratio_and_other_members_stay(tmp_path: pathlib.Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", bytes(4 << 20))
        archive.writestr("good", b"good")
    reading = read_all([tmp_path / "x.zip"], Limits(ratio_floor_bytes=1 << 20))
    assert reading.cuts == {"bomb": "expands more than 250 times; the rest was not read (raise with --limit ratio=N)"}
    assert reading.data["good"] == b"good"


def test_a_password_protected_zip_entry_is_refused(tmp_path: pathlib.Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("secret.log", "x")
    data = bytearray((tmp_path / "x.zip").read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert (
        read_bytes(tmp_path, "y.zip", bytes(data)).refused["secret.log"].reason == "password-protected: unpack it first"
    )


def test_a_truncated_zip_says_so(tmp_path: pathlib.Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a.log", LINES)
    reading = read_bytes(tmp_path, "y.zip", (tmp_path / "x.zip").read_bytes()[:5000])
    assert reading.refused["y.zip"].reason.startswith("truncated or damaged zip file")


def test_links_and_unsafe_names_in_a_zip_are_refused(tmp_path: pathlib.Path) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("../up", "x")
        archive.writestr("good", "good")
    reading = read_all([tmp_path / "x.zip"])
    assert reading.refused["link"].reason == "link inside a zip file"
    assert reading.refused["../up"].reason == "path with .. inside an archive"
    assert reading.data == {"good": b"good"}


def test_a_document_that_is_a_zip_inside_is_one_member(tmp_path: pathlib.Path) -> None:
    with zipfile.ZipFile(tmp_path / "cable schedule.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    assert read_all([tmp_path]).order == ["cable schedule.xlsx"]


def test_an_archive_format_that_is_not_read_says_what_to_do(tmp_path: pathlib.Path) -> None:
    reading = read_bytes(tmp_path, "x.7z", b"7z\xbc\xaf\x27\x1c" + bytes(100))
    assert reading.refused["x.7z"].reason == "7z archive: unpack it first (7z x)"


def test_an_empty_tar_has_no_members(tmp_path: pathlib.Path) -> None:
    reading = read_bytes(tmp_path, "x.tar", bytes(10_240))
    assert (reading.order, reading.refused) == ([], {})


@given(data=st.binary(max_size=3000), start=st.integers(0, 2000))
def test_any_damage_to_a_tar_ends_in_a_cut_not_an_error(data: bytes, start: int) -> None:
    archive = bytearray(tar_bytes({"a": b"a" * 600, "b": b"b"}))
    archive[start : start + len(data)] = data
    try:
        for entry in entries(MemoryStream(bytes(archive))):
            entry.data.drain()
    except EOFError:
        pass


@given(data=st.binary(max_size=500), magic=st.sampled_from(["gz", "zst", "xz", "bz2", "zip", "none"]))
def test_any_bytes_behind_any_magic_end_without_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, magic: str
) -> None:
    heads = {name: pack(b"some text")[:10] for name, pack in PACKERS.items()} | {"zip": b"PK\x03\x04", "none": b""}
    file = tmp_path_factory.getbasetemp() / "any.bin"
    file.write_bytes(heads[magic] + data)
    reading = read_all([file])
    assert len(reading.order) + len(reading.refused) >= 1


def test_a_meter_counts_from_zero() -> None:
    assert not Meter(Limits()).exhausted
