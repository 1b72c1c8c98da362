from pathlib import Path

import pytest

from master.config import paths


def test_state_directory_honours_xdg_state_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert paths.default_state_dir() == tmp_path / "manyply"


def test_certificates_lie_beside_the_configuration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert paths.default_certificates_dir() == tmp_path / "manyply" / "ca"


def test_control_socket_lies_in_the_runtime_directory_when_there_is_one(tmp_path: Path) -> None:
    environ = {"XDG_RUNTIME_DIR": str(tmp_path / "run")}
    path = paths.control_socket_path(tmp_path / "state", environ)
    assert path.parent == tmp_path / "run" / "manyply"


def test_control_sockets_of_two_state_directories_differ(tmp_path: Path) -> None:
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    first = paths.control_socket_path(tmp_path / "a", environ)
    assert first != paths.control_socket_path(tmp_path / "b", environ)


def test_control_socket_lies_in_the_state_directory_otherwise(tmp_path: Path) -> None:
    assert paths.control_socket_path(tmp_path, {}).parent == tmp_path
