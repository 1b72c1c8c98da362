"""Games of chess between programs that speak UCI or CECP: Elo, and what they did wrong.

Run as `python -m tests.benchmarks.uci_games [--games N] [--pace 1+0.01] [--against COMMAND]`.  The
first player is `manyply uci`, or `--engine COMMAND`; the second is the same unless `--against`
names another, with `--xboard` one that speaks CECP (`--against /usr/games/fairymax --xboard`,
`--against "/usr/games/gnuchess --uci"`).  Each opening is played twice with colours exchanged; the
95 % interval is that of these pairs.  A pace is `SECONDS+INCREMENT` of a game, `nodes=N`, `depth=N`
or `move=SECONDS`; `--against-pace` gives odds.  `--option NAME=VALUE` is for the first,
`--against-option` for the second.

A move that is illegal or too late, silence, and a program that has gone lose the game and are
counted; so is what else the `chess` package finds wrong with a program's lines.  `--adjudicate`
ends games whose result both programs agree on; otherwise they are played out, draws by the third
repetition and the fifty-move rule.  Times are by the clock, so leave a core to each game
(`--concurrency`); nobody thinks in the other's time.
"""

from __future__ import annotations

import argparse
import logging
import shlex
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from math import log10, sqrt
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn

from tests.benchmarks.chess_openings import chess960_openings, openings

OURS = f"{shlex.quote(sys.executable)} -m master.cli uci --no-book"

SILENCE_S_MAX = 10.0
"""So long after its time a program is waited for."""

PLIES_MAX = 1_000
"""A game that is longer is drawn; none has been seen."""

DRAWN_CP = 8
DRAWN_PLIES = 12
DRAWN_FROM_PLY = 80
WON_CP = 1_000
WON_PLIES = 8
"""Adjudicated: both say so for so many plies on end; as matches of programs are run elsewhere."""

NORMAL_95 = 1.96
"""Standard errors either side of a mean that hold 95 % of a normal distribution."""


class Ending(Enum):
    """How a game ended."""

    MATE = "by mate"
    DRAW = "drawn by the rules"
    ADJUDICATED = "adjudicated"
    TOO_LONG = "too long"
    TIME = "lost on time"
    RESIGNED = "resigned"
    ILLEGAL = "illegal moves"
    SILENT = "silent"
    GONE = "gone"


BREAKS = (Ending.ILLEGAL, Ending.SILENT, Ending.GONE)
"""Endings that are the program's own fault; a busy machine, too, makes one lose on time."""

FAULTS = (Ending.TIME, *BREAKS)


@dataclass(frozen=True)
class Pace:
    """What a player may use.

    Args:
        clock_s: of a game; None: moves are limited otherwise.
        increment_s: added for each move.
        nodes: of a move.
        depth: of a move.
        move_s: of a move.
    """

    clock_s: float | None = None
    increment_s: float = 0.0
    nodes: int | None = None
    depth: int | None = None
    move_s: float | None = None

    @classmethod
    def read(cls, text: str) -> Pace:
        """Return what a text means; ValueError if nothing."""
        word, is_named, value = text.partition("=")
        if not is_named:
            clock, _, increment = text.partition("+")
            return cls(clock_s=float(clock), increment_s=float(increment or 0))
        if word == "move":
            return cls(move_s=float(value))
        if word not in ("nodes", "depth"):
            raise ValueError(f"expected SECONDS+INCREMENT, nodes=, depth= or move=, not {text!r}")
        return cls(**{word: int(value)})


class _Features(dict[str, int | str]):
    """Of a CECP program: `setboard` goes without saying, since games begin at the start."""

    def get(self, key: str, default: Any = None) -> Any:
        return 1 if key == "setboard" else super().get(key, default)


class _XboardProtocol(chess.engine.XBoardProtocol):
    """CECP, also with programs that set up no board, such as Debian's fairymax."""

    def __init__(self) -> None:
        super().__init__()
        self.features = _Features()


@dataclass(frozen=True)
class Player:
    """One of the two.

    Args:
        command: that starts it.
        pace: what it may use.
        options: by name.
        is_xboard: whether it speaks CECP rather than UCI.
    """

    command: str
    pace: Pace
    options: tuple[tuple[str, str], ...] = ()
    is_xboard: bool = False

    def start(self) -> chess.engine.SimpleEngine:
        """Start it; OSError or EngineError if that fails."""
        protocol = _XboardProtocol if self.is_xboard else chess.engine.UciProtocol
        command = shlex.split(self.command)
        engine = chess.engine.SimpleEngine.popen(protocol, command, timeout=SILENCE_S_MAX)
        try:
            engine.configure(dict(self.options))
        except BaseException:
            engine.close()
            raise
        return engine


@dataclass(frozen=True)
class Played:
    """A game that is over.

    Args:
        number: from 0 on; of a pair the even one has the first player white.
        points: of the first player: 1, 0.5 or 0.
        ending: how it ended.
        board: its last position, with all moves.
        detail: of a fault: what the program did.
    """

    number: int
    points: float
    ending: Ending
    board: chess.Board
    detail: str = ""

    @property
    def is_first_white(self) -> bool:
        return self.number % 2 == 0

    @property
    def result(self) -> str:
        white = self.points if self.is_first_white else 1 - self.points
        return {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[white]


class Contestant:
    """A player's program, started when it is needed and again when it has failed."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._engine: chess.engine.SimpleEngine | None = None

    def __enter__(self) -> Contestant:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def drop(self) -> None:
        """End the program, whatever it is doing."""
        if self._engine is not None:
            self._engine.close()
        self._engine = None

    def play(
        self, board: chess.Board, clocks: dict[chess.Color, float | None], game: object, mate: Pace
    ) -> chess.engine.PlayResult:
        """Have it move; `mate` is the other's pace, whose increment it is told."""
        self.prepare()
        assert self._engine is not None
        own = self.player.pace
        paces = (own, mate) if board.turn == chess.WHITE else (mate, own)
        limit = chess.engine.Limit(nodes=own.nodes, depth=own.depth, time=own.move_s)
        if own.clock_s is not None:
            limit.white_clock, limit.black_clock = clocks[chess.WHITE], clocks[chess.BLACK]
            limit.white_inc, limit.black_inc = (pace.increment_s for pace in paces)
        return self._engine.play(board, limit, game=game, info=chess.engine.INFO_SCORE)

    def prepare(self) -> None:
        """Start the program where none runs: its time is no move's."""
        if self._engine is None:
            self._engine = self.player.start()


def play_game(
    contestants: tuple[Contestant, Contestant], number: int, start: chess.Board, judge: Judge
) -> Played:
    """Play a game from a position; even numbers with the first seat white."""
    board, game = start.copy(), object()
    order = contestants if number % 2 == 0 else contestants[::-1]
    by_colour = {chess.WHITE: order[0], chess.BLACK: order[1]}
    clocks = {colour: contestant.player.pace.clock_s for colour, contestant in by_colour.items()}
    for contestant in contestants:
        contestant.prepare()

    def over(ending: Ending, winner: chess.Color | None, detail: str = "") -> Played:
        won = 0.5 if winner is None else float(by_colour[winner] is contestants[0])
        return Played(number, won, ending, board, detail)

    for _ in range(PLIES_MAX):
        mover, waiting = by_colour[board.turn], by_colour[not board.turn]
        started = time.perf_counter()
        try:
            reply = mover.play(board, clocks, game, waiting.player.pace)
        except (chess.engine.EngineError, TimeoutError) as error:
            mover.drop()
            return over(_fault(error), not board.turn, f"{board.fen()}: {error}")
        left = _left(clocks[board.turn], time.perf_counter() - started)
        if left is not None and left < 0:
            return over(Ending.TIME, not board.turn, f"{board.fen()}: {-1000 * left:.0f} ms late")
        if reply.move is None:
            fault = Ending.RESIGNED if reply.resigned else Ending.ILLEGAL
            return over(fault, not board.turn, f"{board.fen()}: no move")
        clocks[board.turn] = None if left is None else left + mover.player.pace.increment_s
        board.push(reply.move)
        if (ended := ending_of(board)) is not None:
            return over(ended, not board.turn if ended is Ending.MATE else None)
        if (verdict := judge(board, reply.info.get("score"))) is not None:
            return over(Ending.ADJUDICATED, verdict.winner)
    return over(Ending.TOO_LONG, None)


def _left(clock_s: float | None, used_s: float) -> float | None:
    return None if clock_s is None else clock_s - used_s


def _fault(error: Exception) -> Ending:
    if isinstance(error, TimeoutError):
        return Ending.SILENT
    if isinstance(error, chess.engine.EngineTerminatedError):
        return Ending.GONE
    return Ending.ILLEGAL


def ending_of(board: chess.Board) -> Ending | None:
    """Return how the rules end a game, the third repetition and the fifty-move rule unasked."""
    if board.is_checkmate():
        return Ending.MATE
    is_drawn = (
        not any(board.legal_moves)
        or board.is_insufficient_material()
        or board.is_fifty_moves()
        or board.is_repetition(3)
    )
    return Ending.DRAW if is_drawn else None


@dataclass(frozen=True)
class Verdict:
    """What a game is adjudicated as; a draw has no winner."""

    winner: chess.Color | None


Judge = Callable[[chess.Board, chess.engine.PovScore | None], Verdict | None]


def unjudged(_board: chess.Board, _score: chess.engine.PovScore | None) -> Verdict | None:
    """Let a game go on to its end."""
    return None


class Adjudicator:
    """Ends a game when the values of both players have agreed for long."""

    def __init__(self) -> None:
        self._drawn = self._won = self._lost = 0

    def __call__(self, board: chess.Board, score: chess.engine.PovScore | None) -> Verdict | None:
        """Judge after a move, by what its player said; values are White's."""
        value = None if score is None else score.white().score(mate_score=100_000)
        self._drawn = self._drawn + 1 if value is not None and abs(value) <= DRAWN_CP else 0
        self._won = self._won + 1 if value is not None and value >= WON_CP else 0
        self._lost = self._lost + 1 if value is not None and value <= -WON_CP else 0
        if self._won >= WON_PLIES or self._lost >= WON_PLIES:
            return Verdict(chess.WHITE if self._won else chess.BLACK)
        if self._drawn >= DRAWN_PLIES and board.ply() >= DRAWN_FROM_PLY:
            return Verdict(None)
        return None


def play_match(
    players: tuple[Player, Player],
    starts: Sequence[chess.Board],
    concurrency: int = 1,
    is_adjudicated: bool = False,
    report: Callable[[Played], None] = lambda _: None,
) -> list[Played]:
    """Play each start twice; the games in order.  `report` hears of each as it ends."""
    per_thread = threading.local()
    lock = threading.Lock()
    with ExitStack() as open_contestants:

        def contestants() -> tuple[Contestant, Contestant]:
            if not hasattr(per_thread, "sessions"):
                with lock:
                    per_thread.contestants = tuple(
                        open_contestants.enter_context(Contestant(p)) for p in players
                    )
            own: tuple[Contestant, Contestant] = per_thread.contestants
            return own

        def play(number: int) -> Played:
            judge = Adjudicator() if is_adjudicated else unjudged
            played = play_game(contestants(), number, starts[number // 2], judge)
            with lock:
                report(played)
            return played

        with ThreadPoolExecutor(concurrency) as pool:
            return list(pool.map(play, range(2 * len(starts))))


@dataclass(frozen=True)
class Score:
    """Of the first player, with the 95 % interval of the Elo difference.

    Args:
        wins: games that it has won.
        draws: games that were drawn.
        losses: games that it has lost.
        points: of 1 a game, the mean.
        elo: the difference that the mean is expected of; infinite at 0 and 1.
        elo_low: the interval's lower end.
        elo_high: the interval's upper end.
    """

    wins: int
    draws: int
    losses: int
    points: float
    elo: float
    elo_low: float
    elo_high: float

    def __str__(self) -> str:
        return (
            f"{self.wins} won, {self.draws} drawn, {self.losses} lost: {100 * self.points:.1f} %, "
            f"Elo {self.elo:+.0f} ({self.elo_low:+.0f} to {self.elo_high:+.0f})"
        )


def score_of(points: Sequence[float]) -> Score:
    """Sum up the first player's points of games in order, pairs of an opening together."""
    pairs = [sum(points[i : i + 2]) / len(points[i : i + 2]) for i in range(0, len(points), 2)]
    mean = sum(pairs) / len(pairs)
    variance = sum((pair - mean) ** 2 for pair in pairs) / max(len(pairs) - 1, 1)
    half = NORMAL_95 * sqrt(variance / len(pairs))
    elos = [elo_of(value) for value in (mean, mean - half, mean + half)]
    return Score(points.count(1), points.count(0.5), points.count(0), mean, *elos)


def elo_of(points: float) -> float:
    """Return the difference of ratings that a mean is expected of."""
    if points <= 0 or points >= 1:
        return float("-inf") if points <= 0 else float("inf")
    return -400 * log10(1 / points - 1)


class Complaints(logging.Handler):
    """Counts what the `chess` package finds wrong with the lines of a program."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@contextmanager
def listening() -> Iterator[Complaints]:
    """Hear the package's complaints, which are printed nowhere meanwhile."""
    complaints, logger = Complaints(), chess.engine.LOGGER
    was_passed_on, logger.propagate = logger.propagate, False
    logger.addHandler(complaints)
    try:
        yield complaints
    finally:
        logger.removeHandler(complaints)
        logger.propagate = was_passed_on


def to_pgn(played: Played, names: tuple[str, str]) -> chess.pgn.Game:
    """Return a game's record."""
    game = chess.pgn.Game.from_board(played.board)
    white, black = names if played.is_first_white else names[::-1]
    game.headers.update(White=white, Black=black, Round=str(played.number + 1))
    game.headers.update(Result=played.result, Termination=played.ending.value)
    return game


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of what follows the list of openings")
    parser.add_argument("--engine", default=OURS, metavar="COMMAND")
    parser.add_argument("--against", metavar="COMMAND", help="default: the same")
    parser.add_argument("--xboard", action="store_true", help="the second one speaks CECP")
    parser.add_argument("--pace", type=Pace.read, default=Pace(1.0, 0.01))
    parser.add_argument("--against-pace", type=Pace.read, help="default: the same")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--against-option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--concurrency", type=int, default=1, help="games at a time")
    parser.add_argument("--chess960", action="store_true", help="from starts of Chess960")
    parser.add_argument("--adjudicate", action="store_true")
    parser.add_argument("--pgn", type=Path, help="where to write the games")
    return parser.parse_args(arguments)


def _options(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    named = [text.partition("=") for text in texts]
    return tuple((name, value) for name, _, value in named)


def _players(options: argparse.Namespace) -> tuple[Player, Player]:
    against = options.engine if options.against is None else options.against
    pace = options.pace if options.against_pace is None else options.against_pace
    return (
        Player(options.engine, options.pace, _options(options.option)),
        Player(against, pace, _options(options.against_option), options.xboard),
    )


class Progress:
    """Prints how a match stands, a line now and then, and each fault at once."""

    def __init__(self, lines_max: int, game_count: int) -> None:
        self._every = max(game_count // lines_max, 1)
        self._points: dict[int, float] = {}

    def __call__(self, played: Played) -> None:
        self._points[played.number] = played.points
        if played.ending in FAULTS:
            loser = "the second" if played.points else "the first"
            text = f"game {played.number + 1}: {loser} {played.ending.value}: {played.detail}"
            print(text, flush=True)
        if len(self._points) % self._every == 0:
            counted = list(self._points.values())
            points = sum(counted) / len(counted)
            print(f"{len(counted)} games: {100 * points:.1f} %", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the match and print what came of it."""
    options = _arguments(arguments)
    players = _players(options)
    make_starts = chess960_openings if options.chess960 else openings
    starts = make_starts(-(-options.games // 2), options.seed)
    progress = Progress(10, 2 * len(starts))
    with listening() as complaints:
        try:
            games = play_match(players, starts, options.concurrency, options.adjudicate, progress)
        except (OSError, chess.engine.EngineError) as error:
            print(f"no match: {error or 'a program does not answer'}")
            return
    if options.pgn is not None:
        names = (players[0].command, players[1].command)
        options.pgn.write_text("\n\n".join(str(to_pgn(game, names)) for game in games) + "\n")
    print(f"{players[0].command} against {players[1].command}: "
          f"{score_of([game.points for game in games])}")  # fmt: skip
    endings = Counter(game.ending for game in games)
    print(", ".join(f"{ending.value} {endings[ending]}" for ending in Ending))
    print(f"lines that the chess package complains of: {len(complaints.texts)}")
    for text, count in Counter(complaints.texts).most_common(5):
        print(f"  {count} x {text[:160]}")


if __name__ == "__main__":
    main()
