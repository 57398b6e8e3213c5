from __future__ import annotations

import gzip
import os
import pathlib
import socket
import sys
import tarfile
import zipfile
from typing import Any

import pytest

from analyzer.bundle import Limits, Member, open_bundle
from analyzer.errors import InputError
from tests.bundle.conftest import read_all, special_entry, tar_bytes


def test_a_folder_is_walked_in_sorted_order_with_paths_relative_to_it(tree: pathlib.Path) -> None:
    reading = read_all([tree])
    assert reading.order == ["nodes/cn001/dmesg.txt", "nodes/cn002/dmesg.txt", "sinfo.txt"]
    assert reading.data["nodes/cn001/dmesg.txt"] == b"hello from cn001\n"


def test_a_plain_member_states_its_file_size_and_time(tree: pathlib.Path) -> None:
    os.utime(tree / "sinfo.txt", (1_773_035_675, 1_773_035_675))
    member = read_all([tree]).members["sinfo.txt"]
    assert (member.file, member.size_bytes, member.modified_s) == (tree / "sinfo.txt", 10, 1_773_035_675.0)
    assert not member.streamed


def test_a_single_file_is_cited_by_its_name(tree: pathlib.Path) -> None:
    assert read_all([tree / "nodes" / "cn001" / "dmesg.txt"]).order == ["dmesg.txt"]


def test_files_of_the_same_name_are_told_apart_by_their_folders(tree: pathlib.Path) -> None:
    nodes = tree / "nodes"
    reading = read_all([nodes / "cn002" / "dmesg.txt", nodes / "cn001" / "dmesg.txt", tree / "sinfo.txt"])
    assert reading.order == ["cn002/dmesg.txt", "cn001/dmesg.txt", "sinfo.txt"]


def test_several_folders_are_told_apart_by_their_names(tree: pathlib.Path) -> None:
    reading = read_all([tree / "nodes" / "cn001", tree / "nodes" / "cn002"])
    assert reading.order == ["cn001/dmesg.txt", "cn002/dmesg.txt"]


def test_an_input_given_twice_is_read_once(tree: pathlib.Path) -> None:
    assert read_all([tree / "sinfo.txt", tree / "." / "sinfo.txt"]).order == ["sinfo.txt"]


def test_an_empty_file_is_a_member_of_size_zero(tmp_path: pathlib.Path) -> None:
    (tmp_path / "empty.log").touch()
    member = read_all([tmp_path]).members["empty.log"]
    assert member.size_bytes == 0


def test_an_empty_folder_has_no_members(tmp_path: pathlib.Path) -> None:
    assert read_all([tmp_path]).order == []


def test_a_missing_path_is_an_input_error(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        open_bundle([str(tmp_path / "nowhere.tar.gz")])


def test_a_path_with_a_nul_is_an_input_error() -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        open_bundle(["a\x00b"])


def test_standard_input_is_one_log(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log").write_bytes(b"line\n")
    with (tmp_path / "log").open() as source:
        monkeypatch.setattr(sys, "stdin", source)
        assert read_all(["-"]).data == {"stdin": b"line\n"}


def test_standard_input_may_be_compressed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log").write_bytes(gzip.compress(tar_bytes({"top/a.log": b"a\n"})))
    with (tmp_path / "log").open() as source:
        monkeypatch.setattr(sys, "stdin", source)
        assert read_all(["-"]).data == {"top/a.log": b"a\n"}


def test_a_second_pass_gives_the_same_members(tree: pathlib.Path) -> None:
    with open_bundle([str(tree)]) as bundle:
        first = [item.path for item in bundle.members()]
        assert [item.path for item in bundle.members()] == first


def test_the_bundle_is_named_after_its_input(tmp_path: pathlib.Path) -> None:
    archive = tmp_path / "gpu-017.tar.gz"
    archive.write_bytes(gzip.compress(tar_bytes({"a": b""})))
    assert open_bundle([str(archive)]).name == "gpu-017"


def test_a_named_pipe_in_a_folder_is_refused_without_being_opened(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_all([tmp_path]).refused["pipe"].reason == "named pipe, not a file"


def test_a_socket_in_a_folder_is_refused(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("munge.socket")
        assert read_all([tmp_path]).refused["munge.socket"].reason == "socket, not a file"


def test_a_device_as_input_is_refused() -> None:
    assert read_all(["/dev/null"]).refused["null"].reason == "device, not a file"


@pytest.mark.parametrize("target", ["/etc/hostname", "../../outside"])
def test_a_link_that_leaves_the_folder_is_refused(tree: pathlib.Path, target: str) -> None:
    (tree / "link").symlink_to(target)
    refused = read_all([tree]).refused["link"]
    assert (refused.status, refused.reason) == ("unreadable", f"link to {target}, outside of the bundle")


def test_a_link_inside_the_folder_costs_nothing(tree: pathlib.Path) -> None:
    (tree / "latest").symlink_to("nodes/cn001")
    reading = read_all([tree])
    assert reading.refused["latest"].status == "unrecognised"
    assert len(reading.order) == 3


def test_a_dangling_link_is_unreadable(tree: pathlib.Path) -> None:
    (tree / "latest").symlink_to("nodes/cn099")
    assert read_all([tree]).refused["latest"].reason == "link to nodes/cn099, which does not exist"


def test_a_file_without_permission_is_refused(tree: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_open = os.open

    def guarded(path: pathlib.Path, *arguments: Any) -> int:
        if path.name == "sinfo.txt":
            raise PermissionError(13, "Permission denied")
        return real_open(path, *arguments)

    monkeypatch.setattr(os, "open", guarded)
    reading = read_all([tree])
    assert reading.refused["sinfo.txt"].reason == "permission denied"
    assert len(reading.order) == 2


def test_a_file_that_vanishes_before_it_is_opened_ends_at_byte_zero(tree: pathlib.Path) -> None:
    with open_bundle([str(tree)]) as bundle:
        members = [item for item in bundle.members() if isinstance(item, Member)]
    (tree / "sinfo.txt").unlink()
    with members[-1].open() as stream, pytest.raises(EOFError, match="no such file"):
        stream.readinto(bytearray(10))


def test_a_name_that_is_not_utf8_is_shown_escaped(tmp_path: pathlib.Path) -> None:
    pathlib.Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.log")).write_bytes(b"x")
    assert read_all([tmp_path]).order == ["\\xff.log"]


def test_the_number_of_members_is_capped(tree: pathlib.Path) -> None:
    reading = read_all([tree], Limits(members=2))
    assert len(reading.order) == 2
    assert (
        reading.refused["sinfo.txt"].reason
        == "more than 2 members; the rest was not read (raise with --limit members=N)"
    )


def test_the_total_size_is_capped_and_what_was_read_stays(tree: pathlib.Path) -> None:
    reading = read_all([tree], Limits(total_bytes=20))
    assert reading.data["nodes/cn001/dmesg.txt"] == b"hello from cn001\n"
    reason = "the bundle holds more than 20 bytes; the rest was not read (raise with --limit total_bytes=N)"
    assert reading.refused["sinfo.txt"].reason == reason


def test_archives_in_a_folder_prefix_their_members(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(tar_bytes({"top/x.log": b"x\n"})))
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("top/y.log", "y\n")
    assert read_all([tmp_path]).data == {"a.tar.gz!top/x.log": b"x\n", "b.zip!top/y.log": b"y\n"}


def test_several_archives_as_inputs_prefix_their_members(tmp_path: pathlib.Path) -> None:
    for name in ("a.tar", "b.tar"):
        (tmp_path / name).write_bytes(tar_bytes({"dmesg.txt": name.encode()}))
    assert read_all([tmp_path / "a.tar", tmp_path / "b.tar"]).order == ["a.tar!dmesg.txt", "b.tar!dmesg.txt"]


def test_a_repeated_path_in_an_archive_is_numbered(tmp_path: pathlib.Path) -> None:
    data = tar_bytes({"a.log": b"1", "./a.log": b"2"}, special_entry("folder", tarfile.DIRTYPE))
    (tmp_path / "x.tar").write_bytes(data)
    assert read_all([tmp_path / "x.tar"]).data == {"a.log": b"1", "a.log#2": b"2"}
