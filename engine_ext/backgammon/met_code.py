"""Match equity tables as one word of a rollout's context.

A code contains only the part of a table that the match can still reach.  It restores these values
to the bit.

The code is `KIND.DECIMALS.ROWS.DIGITS`.  Each request contains its context, of at most
services.CONTEXT_BYTES_MAX characters, so a code contains only the values that decide the equities:

KIND      `half`: alike players whose chances add up to 1 at every score: only the rows' values
          right of the diagonal; `full`: alike players; `pair0`, `pair1`: different players, player
          0's rows, then two rows after the Crawford game; player 0 (or 1) is on roll.
DECIMALS  1 to MET_DECIMALS: every value is a whole number of that last decimal.
ROWS      2 to AWAY_MAX: the length of the table.
DIGITS    the rows before the Crawford game, then the trailer's row (or two) after it, each value
          in the least bits that hold 10 ** DECIMALS - 1, highest bit first; 0 is a last value
          that the table leaves out.  Six bits a character, as in RFC 4648's base64url.

A number that is n / 10 ** DECIMALS is the same double as its decimal text, so the table comes
back with the same bits.  Its name is left behind: names decide nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine_ext.backgammon.met import AWAY_MAX, MET_DECIMALS, Met, MetError

MET_CODE_CHARS_MAX: Final = 7168
"""Leaves 1,024 characters of a context for its other words, five moves' names among them.

So tables of up to 25 points always fit.  Up to 64 fit those of six decimals whose players' chances
add up to 1, and those of two different players with three decimals; a formula's up to 53."""

CODE_PATTERN: Final = re.compile(
    rf"(half|full|pair[01])\.([1-{MET_DECIMALS}])\.([1-9][0-9]?)\.([A-Za-z0-9_-]{{1,{MET_CODE_CHARS_MAX}}})"
)
_NAME: Final = "of a rollout"
_CHARACTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_CHARACTER_BITS: Final = 6


def met_code(met: Met, away_max: int, player: int = 0) -> str:
    """Return the code of a table, as far as it goes for a match.

    Args:
        met: the table.
        away_max: points to go of the trailing player.
        player: 0 or 1, which player of the table is on roll; matters where they differ.

    Raises:
        MetError: the code would be longer than MET_CODE_CHARS_MAX.
    """
    size = _size_needed(met, away_max)
    code = _code(_cut(met, size), player)
    if len(code) > MET_CODE_CHARS_MAX:
        raise MetError(
            f"this match equity table takes {len(code)} characters at {away_max} points to go, and"
            f" a rollout has room for {MET_CODE_CHARS_MAX}: it fits up to"
            f" {_size_that_fits(met, size)} points to go"
        )
    return code


def met_from_code(code: str) -> tuple[Met, int]:
    """Read a code: the table, which has no name of its own, and its player on roll.

    Raises:
        MetError: not a code, or not of a table.
    """
    match = CODE_PATTERN.fullmatch(code)
    if match is None:
        raise MetError(f"unknown match equity table {code[:40]!r}")
    kind, decimals, size = match[1], int(match[2]), int(match[3])
    if not 2 <= size <= AWAY_MAX:
        raise MetError(f"a match equity table has 2 to {AWAY_MAX} rows")
    post_count = 2 if kind.startswith("pair") else 1
    pre_count = size * (size - 1) // 2 if kind == "half" else size * size
    numbers = _unpacked(match[4], decimals, pre_count + post_count * size)
    rows = _pre_rows(numbers[:pre_count], kind, size, 10**decimals)
    posts = [numbers[pre_count + i * size :][:size] for i in range(post_count)]
    shares = [
        tuple(number / 10**decimals for number in row)
        for row in (*rows, *(post if post[-1] else post[:-1] for post in posts))
    ]
    return Met(_NAME, size, tuple(shares[:size]), *shares[size:]), int(kind == "pair1")


def _size_needed(met: Met, away_max: int) -> int:
    """Points to go never rise; a match beyond the table needs all of it, to extend it."""
    return min(met.length, max(2, away_max))


def _size_that_fits(met: Met, size: int) -> int:
    while len(_code(_cut(met, size), 0)) > MET_CODE_CHARS_MAX:
        size -= 1
    return size


def _cut(met: Met, size: int) -> Met:
    second = met.second_post
    return replace(
        met,
        length=size,
        pre=tuple(row[:size] for row in met.pre[:size]),
        post=met.post[:size],
        second_post=None if second is None else second[:size],
    )


def _code(met: Met, player: int) -> str:
    posts = [met.post] if met.second_post is None else [met.post, met.second_post]
    decimals = _decimals([value for row in (*met.pre, *posts) for value in row])
    rows = [_numbers(row, decimals) for row in met.pre]
    kind = f"pair{player}" if not met.is_alike else _kind(rows, 10**decimals)
    if kind == "half":
        rows = [row[i + 1 :] for i, row in enumerate(rows)]
    rows += [[*_numbers(post, decimals), 0][: met.length] for post in posts]
    digits = _packed([number for row in rows for number in row], decimals)
    return f"{kind}.{decimals}.{met.length}.{digits}"


def _decimals(values: Sequence[float]) -> int:
    """Return how many decimals give every value to the bit."""
    return next(
        decimals
        for decimals in range(1, MET_DECIMALS + 1)
        if decimals == MET_DECIMALS or all(value == round(value, decimals) for value in values)
    )


def _numbers(values: Sequence[float], decimals: int) -> list[int]:
    return [round(value * 10**decimals) for value in values]


def _kind(rows: Sequence[Sequence[int]], one: int) -> str:
    size = range(len(rows))
    is_half = all(rows[i][j] + rows[j][i] == one for i in size for j in size)
    return "half" if is_half else "full"


def _pre_rows(numbers: Sequence[int], kind: str, size: int, one: int) -> list[list[int]]:
    if kind != "half":
        return [list(numbers[i * size :][:size]) for i in range(size)]
    rows = [[one // 2] * size for _ in range(size)]
    given = iter(numbers)
    for i in range(size):
        for j in range(i + 1, size):
            rows[i][j] = next(given)
            rows[j][i] = one - rows[i][j]
    return rows


def _value_bits(decimals: int) -> int:
    return int(10**decimals - 1).bit_length()


def _packed(numbers: Sequence[int], decimals: int) -> str:
    width = _value_bits(decimals)
    bits = "".join(f"{number:0{width}b}" for number in numbers)
    bits += "0" * (-len(bits) % _CHARACTER_BITS)
    return "".join(
        _CHARACTERS[int(bits[i : i + _CHARACTER_BITS], 2)]
        for i in range(0, len(bits), _CHARACTER_BITS)
    )


def _unpacked(digits: str, decimals: int, count: int) -> list[int]:
    width = _value_bits(decimals)
    bits = "".join(f"{_CHARACTERS.index(digit):0{_CHARACTER_BITS}b}" for digit in digits)
    unused = len(bits) - count * width
    if not 0 <= unused < _CHARACTER_BITS or "1" in bits[count * width :]:
        raise MetError(f"a match equity table of {count} values is longer or shorter")
    return [int(bits[i : i + width], 2) for i in range(0, count * width, width)]
