"""A folder of PGN files, read by us and by the `chess` package: the same games, moves and results?

    python -m tests.benchmarks.pgn_files FOLDER [--differences]

A row for each file: its games here and there; how many are the same; how many both call broken;
how many are of other variants, and named so here; how many are read here alone, where the other
finds mistakes; how many are named as broken here alone; how many are two different games.
"""

from __future__ import annotations

import io
import logging
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import chess
import chess.pgn

from master.games.chess.analysis.records import read_records
from master.games.errors import RecordError
from master.games.skipped import SkippedGame
from master.reports.tables import aligned

NAME_COLUMNS = 44
KINDS = ("same", "broken", "variant", "here alone", "there alone", "different")


@dataclass(frozen=True)
class Found:
    """A game as one of both has it.

    Args:
        line: of the file, where it is known.
        moves: in UCI's words, castling by the rook's square.
        result: the recorded one; `*` where none is.
        fault: why it is broken; empty: it is not.
    """

    line: int
    moves: tuple[str, ...]
    result: str
    fault: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What two readers of a game agree in."""
        return (self.moves, self.result)


def ours(path: Path) -> Iterator[Found]:
    """Yield the games of a file as we read them."""
    try:
        for game in read_records(path):
            if isinstance(game, SkippedGame):
                yield Found(game.line or 0, (), "", game.reason)
            else:
                board = game.record.game
                is_recorded = bool(game.record.recorded) or _records_result(game.record.tags)
                result = game.record.result if is_recorded else board.result
                yield Found(game.line, board.moves, result)
    except RecordError as error:
        yield Found(0, (), "", str(error))


def _records_result(tags: tuple[tuple[str, str], ...]) -> bool:
    return any(name == "Result" for name, _ in tags)


def theirs(path: Path) -> Iterator[Found]:
    """Yield the games of a file as the `chess` package reads them.

    An empty line behind a comment that precedes the moves makes two games there, the tags and the
    moves: they count as one.
    """
    content = path.read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode("iso8859-1")
    stream = io.StringIO(text)
    untold: Found | None = None
    while True:
        try:
            game = chess.pgn.read_game(stream)
        except IndexError:  # it loses itself in variations of its own making
            yield Found(0, (), "*", "IndexError")
            continue
        if game is None:
            break
        found = _found(game)
        is_bare = set(game.headers.values()) <= {"?", "????.??.??", found.result}
        if untold is not None and not (is_bare and found.moves):
            yield untold
        untold = None if found.moves or found.fault else found
        if untold is None:
            yield found
    if untold is not None:
        yield untold


def _found(game: chess.pgn.Game) -> Found:
    result = game.headers.get("Result") or "*"
    if game.errors:
        return Found(0, (), result, str(game.errors[0]))
    variant = game.board().uci_variant or "chess"
    return Found(0, tuple(_moves(game)), result, "" if variant == "chess" else variant)


def _moves(game: chess.pgn.Game) -> Iterator[str]:
    board = game.board()
    for move in game.mainline_moves():
        yield board.uci(move, chess960=True) if move else "0000"
        board.push(move)


def compared(
    here: list[Found], there: list[Found]
) -> Iterator[tuple[str, Found | None, Found | None]]:
    """Yield pairs of games with what they are, in order; None stands for no game."""
    matcher = SequenceMatcher(
        None, [each.key for each in here], [each.key for each in there], False
    )
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            for mine, other in zip(here[a:b], there[c:d], strict=True):
                yield _kind(mine, other), mine, other
            continue
        for place in range(max(b - a, d - c)):
            one = here[a + place] if a + place < b else None
            two = there[c + place] if c + place < d else None
            yield _kind(one, two), one, two


def _kind(mine: Found | None, other: Found | None) -> str:
    if mine is not None and mine.fault.startswith("variant"):
        return "variant"
    is_good, is_theirs = (each is not None and not each.fault for each in (mine, other))
    if not is_good and not is_theirs:
        return "broken"
    if is_good and is_theirs:
        assert mine is not None
        assert other is not None
        is_same = mine.moves == other.moves and other.result in (mine.result, "*")
        return "same" if is_same else "different"
    return "here alone" if is_good else "there alone"


def _shown(found: Found | None) -> str:
    if found is None:
        return "no game"
    words = " ".join(found.moves)
    moves = words if len(words) < 40 else f"{words[:17]} ... {words[-17:]}"
    return f"line {found.line}: {len(found.moves)} moves {moves} {found.result} {found.fault[:70]}"


def main(folder: Path, *, is_detailed: bool) -> Counter[str]:
    """Compare all files of a folder; print the table; return the totals."""
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL + 1)
    rows: list[tuple[str, ...]] = [("file", "here", "there", *KINDS)]
    total = Counter[str]()
    for path in sorted(folder.rglob("*.pgn")):
        here, there = list(ours(path)), list(theirs(path))
        pairs = list(compared(here, there))
        counts = Counter(kind for kind, _, _ in pairs)
        name = path.relative_to(folder).as_posix()[-NAME_COLUMNS:]
        counts["games here"], counts["games there"] = len(here), len(there)
        total += counts
        cells = [str(counts[kind] or "") for kind in KINDS]
        rows.append((name, str(len(here)), str(len(there)), *cells))
        for kind, mine, other in pairs if is_detailed else ():
            if kind not in ("same", "variant"):
                print(f"{name} {kind}\n  here   {_shown(mine)}\n  there  {_shown(other)}")
        total["files"] += 1
    rows.append(("all", str(total["games here"]), str(total["games there"]),
                 *(str(total[kind]) for kind in KINDS)))  # fmt: skip
    print("\n".join(aligned(rows, left=(0,))))
    return total


if __name__ == "__main__":
    main(Path(sys.argv[1]), is_detailed="--differences" in sys.argv)
