"""Games that are not finished: `play --continue` takes up the last one.

A note for each such game names its file and the options that it was begun with. The game itself is
in its own file, which is saved as moves are made; a damaged note loses nothing of it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from master.cli.errors import CommandError
from master.cli.output import echo_notice
from master.cli.playing.game_file import write_whole
from master.config.paths import default_state_dir
from master.games.errors import RecordError
from protocol.guards.bounded_file import read_bounded

NOTE_BYTES_MAX: Final = 1 << 16
"""A path and some options are far shorter."""

_TYPED = (str, bool, list)
"""The types of typed values, as the parser returns them: of options, flags and several options."""

_DIGEST_CHARACTERS = 16
_CONTINUE = "--continue"

Options = Mapping[str, Any]
"""The options of a command as they were typed, by the parameter's name: text, or lists of it."""


def _folder(game: str) -> Path:
    return default_state_dir() / "unfinished" / game


def _note_path(game: str, path: Path) -> Path:
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:_DIGEST_CHARACTERS]
    return _folder(game) / f"{digest}.json"


@dataclass
class Unfinished:
    """Notes the game at a table.

    Args:
        game: its name.
        options: those that the command was begun with.
    """

    game: str
    options: Options = field(default_factory=dict)
    _noted: str = ""

    def note(self, path: Path, changed: Options, *, is_over: bool) -> None:
        """Note the game of a file, or remove its note if it is over.

        Args:
            path: its file.
            changed: options that it goes on with, instead of those that were typed; None: without.
            is_over: whether the kept game has ended.
        """
        whole = Path(os.path.realpath(path))
        options = {**self.options, **changed}
        kept = {name: value for name, value in options.items() if value is not None}
        text = json.dumps({"file": str(whole), "options": kept}, indent=1) + "\n"
        target = _note_path(self.game, whole)
        try:
            if is_over:
                target.unlink(missing_ok=True)
                self._noted = ""
            elif text != self._noted:
                target.parent.mkdir(parents=True, exist_ok=True)
                write_whole(text, target)
                self._noted = text
        except (OSError, RecordError) as error:
            echo_notice(f"{_CONTINUE} will not find this game: {error}")


def last_unfinished(game: str) -> tuple[Path, dict[str, Any]]:
    """Return the file and the options of the unfinished game that was played last.

    Notes of games whose file is gone are passed over.

    Raises:
        CommandError: there is none, or its note is damaged.
    """
    found: list[tuple[int, str, Path]] = []
    for note in sorted(_folder(game).glob("*.json")):
        path = _file_of(note)
        played = None if path is None else _time_of(path)
        if path is None or played is not None:
            found.append((played or _time_of(note) or 0, str(note), note))
    if not found:
        raise CommandError(
            f"there is no unfinished game of {game}: begin one with manyply play {game}"
        )
    return _read(game, max(found)[2])


def _time_of(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def _file_of(note: Path) -> Path | None:
    """Return the file that a note names; None: the note is damaged."""
    try:
        return _parsed(note)[0]
    except ValueError:
        return None


def _parsed(note: Path) -> tuple[Path, dict[str, Any]]:
    """Return a note's file and options; ValueError if it is damaged."""
    try:
        content, _ = read_bounded(note, NOTE_BYTES_MAX)
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None
    try:
        known = json.loads(content.decode("utf-8"))
    except RecursionError:
        raise ValueError("expected a file and options") from None
    if not (isinstance(known, dict) and set(known) == {"file", "options"}):
        raise ValueError("expected a file and options")
    path, options = known["file"], known["options"]
    if not (isinstance(path, str) and path and "\0" not in path and isinstance(options, dict)):
        raise ValueError("expected a file and options")
    return Path(path), options


def _read(game: str, note: Path) -> tuple[Path, dict[str, Any]]:
    try:
        return _parsed(note)
    except ValueError:
        games = default_state_dir() / "matches"
        raise CommandError(
            f"{note} is damaged: name the game's file, as in manyply play {game} FILE; "
            f"games are in {games}"
        ) from None


class PlayCommand(click.Command):
    """A command that plays a game; `--continue` takes up its last unfinished one.

    Attributes:
        beginning: names of options that only a new game has.
        rivals: names of options that replace each other: one that is typed drops the others of a
            game that is continued.
    """

    beginning: Sequence[str] = ()
    rivals: Sequence[str] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; with `--continue`, the options and the file of the game come before."""
        given = self._given(ctx, args)
        if given.pop("is_continuing", False):
            if "file" in given:
                raise click.UsageError(f"{_CONTINUE} has its file: leave FILE", ctx)
            path, noted = last_unfinished(self.name or "")
            if any(name in given for name in self.rivals):
                noted = {name: value for name, value in noted.items() if name not in self.rivals}
            given = noted | given
            args = [*self._words(given), "--", str(path)]
        left = ("file", *self.beginning)
        ctx.meta[__name__] = {name: value for name, value in given.items() if name not in left}
        return super().parse_args(ctx, args)

    def _given(self, ctx: click.Context, args: list[str]) -> dict[str, Any]:
        """Return what was typed, by the parameters' names."""
        values, _, _ = self.make_parser(ctx).parse_args(list(args))
        return {name: value for name, value in values.items() if isinstance(value, _TYPED)}

    def _words(self, given: Options) -> list[str]:
        """Return options as they are typed; what this command does not have is left out."""
        words: list[str] = []
        for param in self.params:
            if not isinstance(param, click.Option) or param.name not in given:
                continue
            value = given[param.name]
            for one in value if isinstance(value, list) else [value]:
                if not param.is_flag:
                    words += [param.opts[0], str(one)]
                elif one in (True, param.flag_value):
                    words.append(param.opts[0])
                elif param.secondary_opts:
                    words.append(param.secondary_opts[0])
        return words


continue_option = click.option(
    _CONTINUE, "is_continuing", is_flag=True, expose_value=False,
    help="Go on with the last unfinished game, as it was begun.",
)  # fmt: skip


def unfinished(game: str) -> Unfinished:
    """Return the notes for the game of the running command."""
    return Unfinished(game, click.get_current_context().meta.get(__name__, {}))
