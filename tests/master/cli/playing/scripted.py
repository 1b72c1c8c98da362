"""A player who types from a script, and a file that remembers what is saved, for any session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from master.cli.playing.game_file import GameFile
from master.cli.playing.game_session import GameSession
from master.cli.playing.play_terminal import Leave
from master.cli.playing.player import play
from master.cli.playing.words import Commands
from master.games.errors import RecordError

R = TypeVar("R")


class Script(GameFile[R]):
    """What the player types, line by line, and does between lines; then the end of the file."""

    def __init__(
        self, *lines: str | Callable[[], object], files: Mapping[str, R] | None = None
    ) -> None:
        self.lines = iter(lines)
        self.prompts: list[str] = []
        self.saved: list[tuple[R, Path | None]] = []
        self.begun = 0
        self.is_disk_full = False
        self.files: Mapping[str, R] = files or {}

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        for line in self.lines:
            if isinstance(line, str):
                return line
            line()
        raise Leave

    def save(self, record: R, elsewhere: Path | None = None) -> Path:
        if self.is_disk_full:
            raise RecordError("cannot write own.file: No space left on device")
        self.saved.append((record, elsewhere))
        return elsewhere or Path("own.file")

    def load(self, path: Path) -> R:
        if path.name in self.files:
            return self.files[path.name]
        raise RecordError(f"cannot read {path}: No such file or directory")

    def begin(self) -> None:
        self.begun += 1


def left(session: GameSession[R], commands: Commands) -> None:
    """Play what the script says, until the session ends."""
    with suppress(Leave):
        play(session, commands)
