"""The games of files for `manyply analyse chess`, and how deep they are looked at."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from engine_ext import services
from engine_ext.chess.fen import read_fen
from engine_ext.chess.probes.probe_text import NODES_MAX, ProbeAnswer, ProbeQuestion
from engine_ext.control import RunControl
from master.cli.chess.arguments import is_digest
from master.cli.errors import CommandError
from master.cli.output import echo_notice, say_skipped
from master.games.chess.analysis.records import ReadGame, read_records, sides_called
from master.games.errors import RecordError
from master.games.skipped import KEPT_MAX, GameNumbers, SkippedGame, SkippedGames
from master.reports.report import Report
from master.reports.texts import counted, printable

NODES_DEFAULT = 500_000
"""A game of forty moves takes about half a minute of one core."""

WARNINGS_MAX = 1_000
"""Lines about records that disagree with themselves."""

NAMES_MAX = 8
"""Players named in the error about a name that no player has."""

SAMPLE_FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SAMPLE_NODES = 20_000, 200_000
"""The first look loads tables and nets, the second one is measured: a fifth of a second or so."""

STEPS = 1.0, 1.5, 2.0, 3.0, 5.0, 7.0
"""First digits of the nodes that a time becomes, so that the same time asks the same again."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How deep each position is looked at.

    Args:
        nodes: visited at most.
        depth: of each probe; 0: the nodes alone end it.
    """

    nodes: int
    depth: int = 0


def effort_of(
    nodes: int | None, depth: int | None, seconds: float | None, engine: str | None, digest: str
) -> Effort:
    """Return the effort that options ask for; UsageError if they contradict each other.

    Args:
        nodes: of --nodes.
        depth: of --plies.
        seconds: of --seconds.
        engine: the text of --engine.
        digest: of the engine that this process uses.
    """
    if seconds is not None:
        if nodes is not None or depth is not None:
            raise click.UsageError("--seconds is instead of --nodes and --plies: leave them out")
        if engine is not None and is_digest(engine):
            raise click.UsageError(
                "--seconds is measured with the engine here: give --nodes instead"
            )
        nodes = nodes_in(seconds, digest)
        echo_notice(f"{seconds:g} s of a core here are {nodes:,} positions for each move")
    if nodes is None:
        nodes = NODES_MAX if depth is not None else NODES_DEFAULT
    return Effort(nodes, depth or 0)


def nodes_in(seconds: float, digest: str) -> int:
    """Return about how many nodes one thread of this process's engine visits in a time."""
    for count in SAMPLE_NODES:
        question = ProbeQuestion(digest, (read_fen(SAMPLE_FEN),), (), count)
        began = time.perf_counter()
        text = services.answer(question.to_text(), RunControl())
        took = time.perf_counter() - began
    assert text is not None, "nobody stops it"
    return rounded_nodes(ProbeAnswer.from_text(text).nodes * seconds / took)


def rounded_nodes(nodes: float) -> int:
    """Return the nearest of STEPS times a power of ten."""
    powers = [10**power for power in range(len(str(NODES_MAX)))]
    steps = [int(step * power) for power in powers for step in STEPS]
    return min((step for step in steps if step <= NODES_MAX), key=lambda step: abs(step - nodes))


@dataclass(slots=True)
class GameFiles:
    """The games of files, in their order.

    Args:
        files: whose games.
        numbers: of the games that are wanted; None: all.
        player: only games with this player; None: all.
    """

    files: Sequence[Path]
    numbers: GameNumbers | None = None
    player: str | None = None
    _skipped: list[SkippedGames] = field(default_factory=list)
    _bad: list[tuple[str, str]] = field(default_factory=list)
    _names: dict[str, None] = field(default_factory=dict)
    _found: int = 0
    _said: int = 0

    @property
    def is_several(self) -> bool:
        """Whether there is more than one file."""
        return len(self.files) > 1

    @property
    def title(self) -> str:
        """The file's name, or the number of files."""
        return f"{len(self.files)} files" if self.is_several else self.files[0].name

    def games(self) -> Iterator[ReadGame]:
        """Yield the games; print the skipped ones, and contradictions in the records.

        Raises:
            CommandError: the only file cannot be read, or nobody has the player's name.
        """
        for file in self.files:
            self._skipped.append(SkippedGames(file.name))
            try:
                yield from self._games_of(file)
            except RecordError as error:
                if not self.is_several:
                    raise CommandError(str(error)) from error
                self._bad.append((file.name, str(error)))
                echo_notice(printable(str(error)))
        if self._said > WARNINGS_MAX:
            more = self._said - WARNINGS_MAX
            echo_notice(f"{self.title}: {more:,} more warnings; --json lists all")
        if self.player is not None and not self._found:
            listed = ", ".join(printable(name) for name in [*self._names][:NAMES_MAX])
            more_names = ", ..." if len(self._names) > NAMES_MAX else ""
            raise CommandError(
                f"nobody is called {self.player!r}: the players are {listed}{more_names}"
            )

    def _games_of(self, file: Path) -> Iterator[ReadGame]:
        for game in read_records(file, self.numbers):
            if isinstance(game, SkippedGame):
                say_skipped(self._skipped[-1], game)
                continue
            if self.player is not None and not self._is_of_player(game):
                continue
            self._found += 1
            for line in game.warning_lines(file.name):
                self._said += 1
                if self._said <= WARNINGS_MAX:
                    echo_notice(printable(line))
            yield replace(game, file=file.name)

    def _is_of_player(self, game: ReadGame) -> bool:
        if len(self._names) <= NAMES_MAX:
            self._names |= dict.fromkeys(filter(None, (game.record.white, game.record.black)))
        return bool(sides_called(game.record, self.player or ""))

    def report(self) -> Report:
        """Return the documented part of the object: the skipped games, and the count of all."""
        listed = [
            {**game.report(), "file": skipped.name}
            for skipped in self._skipped
            for game in skipped.kept
        ]
        listed += [{"number": None, "line": None, "reason": why, "file": name}
                   for name, why in self._bad]  # fmt: skip
        count = sum(skipped.count for skipped in self._skipped) + len(self._bad)
        return {"skipped": listed[:KEPT_MAX], "skipped_count": count}

    def end(self, read: int) -> None:
        """End the command with exit code 2 if a game was skipped, or a file could not be read.

        Raises:
            CommandError: so it is; it counts them.
        """
        skipped = [each for each in self._skipped if each.count]
        if len(skipped) == 1 and not self.is_several:
            raise CommandError(printable(skipped[0].summary(read)))
        said = []
        if skipped:
            said.append(f"{counted(sum(each.count for each in skipped), 'game')} skipped")
        if self._bad:
            said.append(f"{counted(len(self._bad), 'file')} not read")
        if said:
            raise CommandError(f"{self.title}: {', '.join(said)}; {counted(read, 'game')} read")
