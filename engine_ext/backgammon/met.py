"""Match equity tables: their values, their extension, and the text form that the package ships.

A table has match winning chances by away score, for two equal or two different players.  The
digest is of the text form.  See met_xml for the files of other programs.

Everything is IEEE + - * / on the decimal numbers of the file, so a table is the same bits on
every machine.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

AWAY_MAX: Final = 64
"""Longest away score of a table: the longest match that other programs play."""

MET_CHARS_MAX: Final = 1 << 20
"""Longest text read: a 64-point XML table takes under 200,000 characters."""

MET_DECIMALS: Final = 9
"""Decimals of a match equity.  Published tables have three to six; a formula's never end, and
nine keep every difference between two scores up to 64 points, so that a table can be written
down whole, to the bit."""

_FORMAT: Final = "manyply-met/1"
_SYMMETRY_TOLERANCE: Final = 0.0025
"""Published tables rounded to per cents miss pre[i][j] + pre[j][i] = 1 by up to .002."""

_GAMMON_RATE: Final = 0.25
"""Share of wins that are gammons, in and after the Crawford game."""

_POINTS_SHARES: Final = ((1, 0.60), (2, 0.28), (4, 0.06), (8, 0.06))
"""How many points a game with the cube is worth, as shares of all games: fitted once, so that one
step of the recursion in `_extend_pre` gives Kazaross-XG2's own values at 11 to 25 away within
2e-4."""


class MetError(ValueError):
    """A match equity table that cannot be read; the message is one sentence for the user."""


@dataclass(frozen=True)
class Met:
    """One match equity table; its numbers are decimals of at most MET_DECIMALS places.

    Attributes:
        name: the table's name, one line of ASCII.
        length: longest match that the numbers were given for; beyond it they are extended.
        pre: pre[i][j] is the mwc of a player i+1 away against j+1 away, before or in the
            Crawford game; of player 0 against player 1 where they are not alike.
        post: post[i] is the mwc of the trailer, i+1 away against 1 away, after the Crawford game;
            of player 0 as the trailer where they are not alike.
        second_post: the same of player 1; None where the players are alike.
    """

    name: str
    length: int
    pre: tuple[tuple[float, ...], ...]
    post: tuple[float, ...]
    second_post: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        _check(self)

    @property
    def is_alike(self) -> bool:
        """Whether one table serves both players."""
        return self.second_post is None

    @cached_property
    def digest(self) -> str:
        """Sha256 hex of the text form."""
        return hashlib.sha256(self.to_text().encode("ascii")).hexdigest()

    def to_text(self) -> str:
        """The table as text; `met_from_text` gives back an equal one, bit for bit."""
        rows = [f"pre {_to_numbers(row)}" for row in self.pre]
        head = [_FORMAT, f"name {self.name}", f"length {self.length}"]
        posts = [f"post {_to_numbers(post)}" for post in _stated_posts(self)]
        return "\n".join([*head, *rows, *posts, ""])

    def mwc(
        self, away: int, opponent_away: int, *, post_crawford: bool = False, player: int = 0
    ) -> float:
        """Match winning chance of a player before a game.

        Args:
            away: points to go of the player; 0 or less has won.
            opponent_away: the same of the opponent.
            post_crawford: the Crawford game is over; needs one side 1 away.
            player: 0 or 1, which player of the table this is; matters where they differ.

        Raises:
            ValueError: an away score over AWAY_MAX.
        """
        if away <= 0 or opponent_away <= 0:
            return 1.0 if away <= 0 else 0.0
        if max(away, opponent_away) > AWAY_MAX:
            raise ValueError(f"no match equity beyond {AWAY_MAX} points to go")
        if not post_crawford or min(away, opponent_away) > 1:
            return self._pre_mwc(away, opponent_away, player)
        posts = self._extended_posts
        if opponent_away == 1:
            return posts[player][away - 1]
        return 1.0 - posts[1 - player][opponent_away - 1]

    def _pre_mwc(self, away: int, opponent_away: int, player: int) -> float:
        if player == 0 or self.is_alike:
            return self._extended_pre[away - 1][opponent_away - 1]
        return 1.0 - self._extended_pre[opponent_away - 1][away - 1]

    @cached_property
    def _extended_posts(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Of player 0 and of player 1."""
        if self.second_post is None:
            post = extended_post(self.post)
            return post, post
        win_rate = self.pre[0][0]
        return extended_post(self.post, win_rate), extended_post(self.second_post, 1.0 - win_rate)

    @cached_property
    def _extended_pre(self) -> tuple[tuple[float, ...], ...]:
        if self.is_alike:
            return _extend_pre(self.pre, self._extended_posts[0])
        return _extend_pre_of_two(self.pre, self._extended_posts)


def met_from_text(text: str) -> Met:
    """Read the text form.

    Raises:
        MetError: not such a text; the message names the line.
    """
    lines = text.splitlines()
    if len(text) > MET_CHARS_MAX or not lines or lines[0] != _FORMAT:
        raise MetError(f'a match equity table in text form starts with "{_FORMAT}"')
    fields: dict[str, list[str]] = {"name": [], "length": [], "pre": [], "post": []}
    for number, line in enumerate(lines[1:], start=2):
        key, _, rest = line.partition(" ")
        if key not in fields:
            raise MetError(f"match equity table, line {number}: unknown word {key[:20]!r}")
        fields[key].append(rest)
    counts = [len(fields[key]) for key in ("name", "length", "post")]
    if counts not in ([1, 1, 1], [1, 1, 2]):
        raise MetError("a match equity table has one name, one length and one post line, or two")
    pre = tuple(numbers_from_text(row) for row in fields["pre"])
    posts = [numbers_from_text(row) for row in fields["post"]]
    length = fields["length"][0]
    if not (length.isascii() and length.isdigit() and len(length) <= 3):
        raise MetError("match equity table: length is not a number")
    return Met(fields["name"][0], int(length), pre, *posts)


@cache
def kazaross_xg2() -> Met:
    """The table that the package ships and uses by default.

    Kazaross-XG2 (Neil Kazaross, 2011): rolled out to 9 points with eXtreme Gammon, to 15 with
    GNU Backgammon, extended by projected take points to 25.
    """
    source = Path(__file__).parent / "data" / "kazaross_xg2.txt"
    return met_from_text(source.read_text(encoding="ascii"))


def extended_post(post: Sequence[float], win_rate: float = 0.5) -> tuple[float, ...]:
    """Go on to AWAY_MAX: the trailer doubles at once, so a game is worth 2 points, or 4.

    Args:
        post: the trailer's mwc after the Crawford game, from 1 away on.
        win_rate: how often the trailer wins a game.
    """
    values = list(post)
    while len(values) < AWAY_MAX:
        gammon = values[-4] if len(values) >= 4 else 1.0
        single = values[-2] if len(values) >= 2 else 1.0
        values.append(win_rate * ((1.0 - _GAMMON_RATE) * single + _GAMMON_RATE * gammon))
    return tuple(values)


def _extend_pre(
    pre: Sequence[Sequence[float]], post: Sequence[float]
) -> tuple[tuple[float, ...], ...]:
    """Go on to AWAY_MAX x AWAY_MAX: an even game worth 1, 2, 4 or 8 points, by _POINTS_SHARES."""
    known = len(pre)
    table = [list(row) + [0.0] * (AWAY_MAX - known) for row in pre]
    table += [[0.0] * AWAY_MAX for _ in range(AWAY_MAX - known)]
    for high in range(known, AWAY_MAX):
        for low in range(high):
            leader = _crawford(high, post) if low == 0 else _even_game(table, low, high)
            table[low][high] = leader
            table[high][low] = 1.0 - leader
        table[high][high] = 0.5
    return tuple(tuple(row) for row in table)


def _crawford(trailer: int, post: Sequence[float]) -> float:
    """The mwc of the leader in the Crawford game; `trailer` is an index (away - 1)."""
    single, gammon = 1.0 - post[trailer - 1], 1.0 - post[trailer - 2] if trailer >= 2 else 0.0
    return 0.5 + 0.5 * ((1.0 - _GAMMON_RATE) * single + _GAMMON_RATE * gammon)


def _even_game(table: Sequence[Sequence[float]], low: int, high: int) -> float:
    """The mwc at indices (low, high) from the scores after one even game."""
    total = 0.0
    for points, share in _POINTS_SHARES:
        won = table[low - points][high] if low >= points else 1.0
        lost = table[low][high - points] if high >= points else 0.0
        total += share * (0.5 * (won + lost))
    return total


def _extend_pre_of_two(
    pre: Sequence[Sequence[float]], posts: tuple[Sequence[float], Sequence[float]]
) -> tuple[tuple[float, ...], ...]:
    """As _extend_pre, where player 0 wins every game as often as the last one of a match."""
    known, win_rate = len(pre), pre[0][0]
    table = [list(row) + [0.0] * (AWAY_MAX - known) for row in pre]
    table += [[0.0] * AWAY_MAX for _ in range(AWAY_MAX - known)]

    def mwc(row: int, column: int) -> float:
        if row == 0:
            return 1.0 - (1.0 - win_rate) * _crawford_won(column, posts[1])
        if column == 0:
            return win_rate * _crawford_won(row, posts[0])
        return _game(table, row, column, win_rate)

    for high in range(known, AWAY_MAX):
        for low in range(high + 1):
            table[low][high] = mwc(low, high)
            table[high][low] = mwc(high, low)
    return tuple(tuple(row) for row in table)


def _crawford_won(trailer: int, post: Sequence[float]) -> float:
    """The mwc of the trailer after winning the Crawford game; `trailer` is an index (away - 1)."""
    gammon = post[trailer - 2] if trailer >= 2 else 1.0
    return (1.0 - _GAMMON_RATE) * post[trailer - 1] + _GAMMON_RATE * gammon


def _game(table: Sequence[Sequence[float]], row: int, column: int, win_rate: float) -> float:
    """The mwc of player 0 at indices (row, column) from the scores after one game."""
    total = 0.0
    for points, share in _POINTS_SHARES:
        won = table[row - points][column] if row >= points else 1.0
        lost = table[row][column - points] if column >= points else 0.0
        total += share * (win_rate * won + (1.0 - win_rate) * lost)
    return total


def _stated_posts(met: Met) -> list[tuple[float, ...]]:
    return [met.post] if met.second_post is None else [met.post, met.second_post]


def _check(met: Met) -> None:
    size = len(met.pre)
    posts = _stated_posts(met)
    if not 2 <= size <= AWAY_MAX or met.length != size:
        raise MetError(f"a match equity table has 2 to {AWAY_MAX} rows, as many as its length")
    is_complete = all(size - 1 <= len(post) <= size for post in posts)
    if any(len(row) != size for row in met.pre) or not is_complete:
        raise MetError("a match equity table is square, with a post-Crawford value for each row")
    for value in (value for row in (*met.pre, *posts) for value in row):
        if not 0.0 < value < 1.0:
            raise MetError("match equities lie between 0 and 1")
        if value != round(value, MET_DECIMALS):
            raise MetError(f"match equities have at most {MET_DECIMALS} decimals")
    if not (met.name.isascii() and met.name.isprintable() and met.name == met.name.strip()):
        raise MetError("the name of a match equity table is one line of plain ASCII")
    _check_players(met)
    _check_not_backwards(met)


def _check_players(met: Met) -> None:
    """One player's chances and the other's add up to 1, wherever the table gives both."""
    if met.second_post is not None:
        if abs(met.post[0] + met.second_post[0] - 1.0) > _SYMMETRY_TOLERANCE:
            raise MetError("the two players' chances at 1-away 1-away do not add up to 1")
        return
    for i, row in enumerate(met.pre):
        for j, value in enumerate(row):
            if abs(value + met.pre[j][i] - 1.0) > _SYMMETRY_TOLERANCE:
                raise MetError(
                    f"the match equities at {i + 1}-away {j + 1}-away do not add up to 1;"
                    " a table for different players has a post-Crawford table for each"
                )


def _check_not_backwards(met: Met) -> None:
    """No point won takes a player back.

    Where rounding makes it worth as much as one lost there are no equities: see Cube.
    """
    for i, row in enumerate(met.pre):
        for j in range(len(row)):
            won = met.pre[i - 1][j] if i else 1.0
            lost = met.pre[i][j - 1] if j else 0.0
            if won < lost:
                raise MetError(
                    f"at {i + 1}-away {j + 1}-away a point won is worth less than one lost"
                )


def numbers_from_text(text: str) -> tuple[float, ...]:
    """Read numbers between spaces.

    Raises:
        MetError: a word that is no number.
    """
    try:
        return tuple(float(word) for word in text.split())
    except ValueError:
        raise MetError(f"match equity table: not numbers: {text[:40]!r}") from None


def _to_numbers(values: Sequence[float]) -> str:
    return " ".join(repr(value) for value in values)
