"""Any bytes as any kind of archive, any damage to a valid one: no error, a reason for every end, bounded output."""

from __future__ import annotations

import bz2
import gzip
import lzma
import pathlib
import zipfile
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import Limits
from tests.bundle.conftest import Reading, read_all, special_entry, tar_bytes
from tests.bundle.test_zipfiles import streamed_zip, zip_bytes

LOG = b"".join(b"[%5d.000000] usb 1-1: new device %d\n" % (number, number % 7) for number in range(300))
FILES = {"nodes/n1/dmesg.txt": LOG, "nodes/n2/messages.gz": gzip.compress(LOG), "top.zip": zip_bytes({"in.log": LOG})}
TAR = tar_bytes(FILES, special_entry("link", b"2", "nodes/n1/dmesg.txt"))

VALID: dict[str, bytes] = {
    "x.log.gz": gzip.compress(LOG) + gzip.compress(LOG),
    "x.log.zst": zstandard.ZstdCompressor(write_checksum=True).compress(LOG),
    "x.log.xz": lzma.compress(LOG),
    "x.log.bz2": bz2.compress(LOG),
    "x.tar": TAR,
    "x.tar.gz": gzip.compress(TAR),
    "x.tar.zst": zstandard.ZstdCompressor().compress(TAR),
    "x.tar.xz": lzma.compress(TAR),
    "x.tar.bz2": bz2.compress(TAR),
    "x.zip": zip_bytes(FILES),
    "stored.zip": zip_bytes(FILES, zipfile.ZIP_STORED),
    "streamed.zip": streamed_zip(FILES),
}
HEADS = (b"", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", b"BZh9", b"PK\x03\x04", b"PK\x05\x06", TAR[:512])
LIMITS = Limits(total_bytes=8 << 20, ratio_floor_bytes=1 << 20, members=500)
MOST_BYTES = 12 << 20
"""More than the total, for the last blocks before the cut."""

Damage = Callable[[bytes], bytes]


def flip(place: float, bit: int) -> Damage:
    def apply(data: bytes) -> bytes:
        changed = bytearray(data)
        changed[int(place * (len(data) - 1))] ^= 1 << bit
        return bytes(changed)

    return apply


def splice(start: float, size: int, put: bytes) -> Damage:
    return lambda data: data[: int(start * len(data))] + put + data[int(start * len(data)) + size :]


def cut(start: float) -> Damage:
    return lambda data: data[: int(start * len(data))]


PLACES = st.floats(0, 1)
DAMAGES = st.one_of(
    st.builds(flip, PLACES, st.integers(0, 7)),
    st.builds(splice, PLACES, st.integers(0, 600), st.binary(max_size=40)),
    st.builds(splice, PLACES, st.integers(0, 40), st.sampled_from([b"\xff" * 8, b"\0" * 512, *HEADS])),
    st.builds(cut, PLACES),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("any")


def read(folder: pathlib.Path, name: str, data: bytes) -> Reading:
    """Read one file, alone in its folder, and see that nothing was written beside it."""
    (folder / name).write_bytes(data)
    reading = read_all([folder / name], LIMITS)
    assert [path.name for path in folder.iterdir()] == [name]
    (folder / name).unlink()
    return reading


@given(name=st.sampled_from(sorted(VALID)), damages=st.lists(DAMAGES, min_size=1, max_size=4))
def test_damage_to_a_valid_archive_ends_in_partial_results(
    folder: pathlib.Path, name: str, damages: list[Damage]
) -> None:
    data = VALID[name]
    for damage in damages:
        data = damage(data) or b"x"
    reading = read(folder, name, data)
    assert sum(map(len, reading.data.values())) <= MOST_BYTES
    assert all(item.reason for item in reading.refused.values())
    assert all(reading.cuts.values())


@given(name=st.sampled_from(sorted(VALID)), head=st.sampled_from(HEADS), data=st.binary(max_size=2_000))
def test_any_bytes_are_read_as_any_kind_of_archive(folder: pathlib.Path, name: str, head: bytes, data: bytes) -> None:
    reading = read(folder, name, head + data)
    assert sum(map(len, reading.data.values())) <= MOST_BYTES


@pytest.mark.parametrize("name", sorted(VALID))
def test_undamaged_archives_are_read_whole(folder: pathlib.Path, name: str) -> None:
    reading = read(folder, name, VALID[name])
    assert reading.cuts == {}
    assert set(reading.data.values()) <= {LOG, LOG + LOG}
    assert len(reading.data) == (1 if ".log" in name else 3)


def test_archives_cut_anywhere_keep_what_came_before(folder: pathlib.Path) -> None:
    for name, data in VALID.items():
        for size in range(600, len(data), max(len(data) // 12, 1)):
            reading = read(folder, name, data[:size])
            told = bool(reading.cuts or reading.refused)
            assert told or set(reading.data.values()) <= {LOG, LOG + LOG}, (name, size)
            assert all((LOG + LOG).startswith(text) for text in reading.data.values() if text[:1] == b"[")
