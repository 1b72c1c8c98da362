"""Games in GGF, the Generic Game Format of the Generic Game Server.

The module reads the tags of an Othello game (`(;GM[Othello]PC[..]..BO[8 .. *]B[f5//1.2]W[PA]..;)`)
and checks that its moves are legal.  Format: M. Buro, "Generic Game Format"
(skatgame.net/mburo/ggsa/ggf).

A move's value is `square/evaluation/seconds`, the last two optional; a pass is `PA`.  Tags that
Othello has no use for are kept as they are, in order; a game written and read again is the same
game.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine_ext.othello.board import OthelloBoard

GAME_CHARACTERS_MAX = 100_000
"""One game with comments; a whole day of a server is many games."""

TAGS_MAX = 1_000
"""Largest number of tags; sixty moves, their comments and a header are some two hundred."""

_TAG = re.compile(r"\s*([A-Z]{1,3})\[([^\]]*)\]", re.ASCII)
_RESULT = re.compile(r"([+-]?\d+(?:\.\d+)?)(?::([a-z]))?", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_TIME = re.compile(r"[\d:.,/]*", re.ASCII)
_SIZE_OF = {"4": 4, "6": 6, "8": 8}
_VALUES_OF_A_MOVE = 3


@dataclass(frozen=True, slots=True)
class GgfMove:
    """One turn.

    Args:
        side: "X" (black) or "O" (white).
        square: such as "f5"; None for a pass.
        evaluation: of the mover in discs, as written; empty if none was given.
        seconds: time the mover took, as written; empty if none was given.
    """

    side: str
    square: str | None
    evaluation: str = ""
    seconds: str = ""


@dataclass(frozen=True, slots=True)
class GgfGame:
    """One game.

    Args:
        start: the board before the first turn.
        moves: the turns in order, passes among them.
        black, white: the players' names; empty if not given.
        result: black's discs minus white's as the server counted, as written ("+8.000"); empty if
            not given.
        ending: "r" resigned, "t" out of time, "s" agreed; empty for a game played out.
        tags: the other tags (place, date, ratings, clocks, ...), in order.
    """

    start: OthelloBoard
    moves: tuple[GgfMove, ...] = ()
    black: str = ""
    white: str = ""
    result: str = ""
    ending: str = ""
    tags: tuple[tuple[str, str], ...] = field(default=())

    @property
    def squares(self) -> list[str]:
        """The moves without passes, as transcripts have them."""
        return [move.square for move in self.moves if move.square is not None]


@dataclass(frozen=True, slots=True)
class GgfPlace:
    """Where a game begins in a text: the character, from 0, and the line, from 1."""

    begin: int
    line: int


def games_of(text: str) -> Iterator[tuple[GgfPlace, GgfGame | ValueError]]:
    """Yield the games of a text, and the error of each malformed one.

    Text between games (a count, line ends) is ignored.  After a game without an end, the next one
    begins at the next `(;`.
    """
    position, line = 0, 1
    while (begin := text.find("(;", position)) >= 0:
        line += text.count("\n", position, begin)
        place = GgfPlace(begin, line)
        end = begin + 2
        found: GgfGame | ValueError
        try:
            tags, end = _tags(text, end)
            found = _game(tags)
        except ValueError as error:
            found = error
        yield place, found
        line += text.count("\n", begin, end)
        position = end


def read_games(text: str) -> Iterator[GgfGame]:
    """Yield the games of a text.

    Raises:
        ValueError: a game is malformed; the text names its number and the expected form.
    """
    for number, (_, found) in enumerate(games_of(text), start=1):
        if isinstance(found, ValueError):
            raise ValueError(f"game {number}: {found}")
        yield found


def read_game(text: str) -> GgfGame:
    """Return the only game of a text.

    Raises:
        ValueError: there is none or more than one, or it is malformed; the text names the error.
    """
    games = list(read_games(text))
    if len(games) != 1:
        raise ValueError(f"expected one game, (;GM[Othello] ... ;), not {len(games)}")
    return games[0]


def write_game(game: GgfGame) -> str:
    """Write a game on one line."""
    header = [("GM", "Othello"), *game.tags]
    header += [(tag, text) for tag, text in (("PB", game.black), ("PW", game.white)) if text]
    if game.result:
        header.append(("RE", game.result + (f":{game.ending}" if game.ending else "")))
    header.append(("BO", _board_text(game.start)))
    moves = [("B" if move.side == "X" else "W", _move_text(move)) for move in game.moves]
    return "(;" + "".join(f"{tag}[{text}]" for tag, text in header + moves) + ";)"


def _tags(text: str, position: int) -> tuple[list[tuple[str, str]], int]:
    """Read tags up to the end of the game; return them and the position after it."""
    last = position + GAME_CHARACTERS_MAX
    found: list[tuple[str, str]] = []
    while match := _TAG.match(text, position):
        found.append((match[1], match[2]))
        position = match.end()
        if len(found) > TAGS_MAX or position > last:
            raise ValueError(f"more than {TAGS_MAX} tags or {GAME_CHARACTERS_MAX} characters")
    rest = text[position : position + 20].lstrip()
    if not rest.startswith(";)"):
        raise ValueError(f"expected TAG[value] or ;) after {len(found)} tags, not {rest[:12]!r}")
    return found, text.index(";)", position) + 2


def _game(tags: list[tuple[str, str]]) -> GgfGame:
    values: dict[str, str] = {}
    turns: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for tag, text in tags:
        if tag in {"B", "W"}:
            turns.append((tag, text))
        elif tag in {"GM", "BO", "PB", "PW", "RE"}:
            if tag in values:
                raise ValueError(f"{tag}[] stands twice")
            values[tag] = text
        else:
            others.append((tag, text))
    if values.get("GM", "").strip().lower() != "othello":
        raise ValueError(f"expected GM[Othello], not GM[{values.get('GM', '')}]")
    kind = next((text for tag, text in others if tag == "TY"), "")
    if _is_anti(kind.strip()):
        raise ValueError(f"TY[{kind.strip()[:20]}] is an anti game, which fewer discs win")
    if "BO" not in values:
        raise ValueError("expected the board, BO[8 -- ... *]")
    start = _board(values["BO"])
    result, ending = _result(values.get("RE", ""))
    return GgfGame(
        start, tuple(_moves(start, turns)), values.get("PB", ""), values.get("PW", ""), result,
        ending, tuple(others),
    )  # fmt: skip


def _is_anti(kind: str) -> bool:
    """Read the server's word for a kind of game: `s8r18` is synchronised, 8 x 8, 18 random discs.

    An `a` in it stands for anti, a `k` for komi.
    """
    return kind.isalnum() and kind.lstrip("sS")[:1].isdigit() and "a" in kind.lower()


def _board(text: str) -> OthelloBoard:
    size, _, signs = text.strip().partition(" ")
    if size not in _SIZE_OF:
        raise ValueError(f"BO[] starts with the board's size, 8, 6 or 4, not {size[:10]!r}")
    signs = "".join(signs.split())
    wanted = _SIZE_OF[size] ** 2 + 1
    if len(signs) != wanted or set(signs) - set("*O-"):
        raise ValueError(f"BO[{size} ..] has {wanted - 1} signs *, O or - and the side to move")
    return OthelloBoard.from_text(signs.replace("*", "X"))


def _board_text(board: OthelloBoard) -> str:
    signs, _, side = board.to_text().replace("X", "*").partition(" ")
    rows = [signs[i : i + board.size] for i in range(0, len(signs), board.size)]
    return " ".join([str(board.size), *rows, side])


def _result(text: str) -> tuple[str, str]:
    """Split `+8.000:r`; a game that was left or goes on has `?` or nothing."""
    text = text.strip()
    if text in {"", "?"}:
        return "", ""
    match = _RESULT.fullmatch(text)
    if match is None:
        raise ValueError(f"RE[] is such as +8.000 or -64.00:r, not {text[:20]!r}")
    return match[1], match[2] or ""


def _moves(start: OthelloBoard, turns: list[tuple[str, str]]) -> Iterator[GgfMove]:
    board = start
    for number, (tag, text) in enumerate(turns, 1):
        side = "X" if tag == "B" else "O"
        try:
            move = _move(side, text)
            if side != board.to_move:
                raise ValueError(f"it is the turn of {board.to_move}")
            board = board.passed() if move.square is None else board.play(move.square)
        except ValueError as error:
            raise ValueError(f"turn {number}, {tag}[{text[:20]}]: {error}") from None
        yield move


def _move(side: str, text: str) -> GgfMove:
    parts = [part.strip() for part in text.split("/")]
    square = parts[0].lower()
    if len(parts) > _VALUES_OF_A_MOVE:
        raise ValueError("a turn is square/evaluation/seconds")
    evaluation, seconds = (*parts[1:], "", "")[:2]
    if evaluation and not _NUMBER.fullmatch(evaluation):
        raise ValueError(f"the evaluation is a number, not {evaluation[:12]!r}")
    if not _TIME.fullmatch(seconds):
        raise ValueError(f"the time is seconds, not {seconds[:12]!r}")
    return GgfMove(side, None if square in {"pa", "pass"} else square, evaluation, seconds)


def _move_text(move: GgfMove) -> str:
    text = "/".join([move.square or "PA", move.evaluation, move.seconds])
    return text.rstrip("/")
