"""The options of the UCI engine: their names, bounds and defaults, and how they are set.

Bounds of this machine (processors, memory) are arguments.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

MEGABYTE = 1 << 20

HASH_MB_DEFAULT = 64
MULTI_PV_MAX = 256
"""No position has more moves: the known maximum is 218."""

OVERHEAD_MS_DEFAULT = 10
OVERHEAD_MS_MAX = 5_000

MODES = FAST, REPRODUCIBLE = "fast", "reproducible"

CLEAR_HASH = "Clear Hash"


@dataclass(frozen=True, slots=True)
class Options:
    """The options that a board can set.

    Args:
        hash_mb: megabytes of the table.
        threads: that search together.
        line_count: the number of lines shown, MultiPV.
        is_ponder: whether the board intends to ponder; the engine ignores it.
        is_chess960: whether castling is written as the king taking its rook.
        is_wdl_shown: whether values are shown in wins, draws and losses too.
        overhead_ms: of a move: the time that the clock loses outside the engine.
        is_book_used: whether a move of the book is played in a game.
        mode: FAST plays better; REPRODUCIBLE always finds the same result at a depth.
    """

    hash_mb: int = HASH_MB_DEFAULT
    threads: int = 1
    line_count: int = 1
    is_ponder: bool = False
    is_chess960: bool = False
    is_wdl_shown: bool = False
    overhead_ms: int = OVERHEAD_MS_DEFAULT
    mode: str = FAST
    is_book_used: bool = True


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of the options on this machine.

    Args:
        hash_mb_max: megabytes of the largest table.
        threads_max: processors.
        mode: the default.
        engine: the name of another engine, which searches elsewhere: it has its own table and
            threads; empty: ours searches.
        has_book: whether there is a book.
    """

    hash_mb_max: int
    threads_max: int
    mode: str = FAST
    engine: str = ""
    has_book: bool = False


@dataclass(frozen=True, slots=True)
class _Spin:
    field: str
    least: int
    most: int


_CHECKS = {
    "Ponder": "is_ponder",
    "UCI_Chess960": "is_chess960",
    "UCI_ShowWDL": "is_wdl_shown",
}


_OWN_BOOK = {"OwnBook": "is_book_used"}

_MODE = "Mode"


def _checks(bounds: Bounds) -> dict[str, str]:
    return {**_CHECKS, **(_OWN_BOOK if bounds.has_book else {})}


def _spins(bounds: Bounds) -> dict[str, _Spin]:
    own = {
        "Hash": _Spin("hash_mb", 1, bounds.hash_mb_max),
        "Threads": _Spin("threads", 1, bounds.threads_max),
    }
    return {
        **({} if bounds.engine else own),
        "MultiPV": _Spin("line_count", 1, MULTI_PV_MAX),
        "Move Overhead": _Spin("overhead_ms", 0, OVERHEAD_MS_MAX),
    }


def option_lines(bounds: Bounds) -> tuple[str, ...]:
    """Return the lines that declare the options."""
    default = Options()
    spins = [
        f"option name {name} type spin default {getattr(default, spin.field)} "
        f"min {spin.least} max {spin.most}"
        for name, spin in _spins(bounds).items()
    ]
    checks = [
        f"option name {name} type check default {str(getattr(default, field)).lower()}"
        for name, field in _checks(bounds).items()
    ]
    if bounds.engine:
        return (*spins, *checks)
    modes = "".join(f" var {mode}" for mode in MODES)
    combo = f"option name {_MODE} type combo default {bounds.mode}{modes}"
    return (*spins, combo, f"option name {CLEAR_HASH} type button", *checks)


def is_clear_hash(name: str) -> bool:
    """Whether a name is that of the button that clears the table."""
    return name.lower() == CLEAR_HASH.lower()


def set_option(options: Options, bounds: Bounds, name: str, value: str) -> Options:
    """Return the options with one of them set; capitals in names do not matter.

    Raises:
        ValueError: there is no such option or value; the text names the valid ones.
    """
    spins, switches = _spins(bounds), _checks(bounds)
    own = () if bounds.engine else (_MODE,)
    known = {each.lower(): each for each in (*spins, *own, *switches)}
    if name.lower() not in known:
        names = ", ".join((*spins, *own, *((CLEAR_HASH,) if own else ()), *switches))
        raise ValueError(f"expected one of the options {names}, not {name[:40]!r}")
    name = known[name.lower()]
    if name in switches:
        if value.lower() not in ("true", "false"):
            raise ValueError(f"expected true or false for {name}, not {value[:40]!r}")
        return _with(options, switches[name], value.lower() == "true")
    if name == _MODE:
        if value.lower() not in MODES:
            raise ValueError(f"expected {' or '.join(MODES)} for {_MODE}, not {value[:40]!r}")
        return replace(options, mode=value.lower())
    spin = spins[name]
    is_number = value.isascii() and value.isdecimal() and len(value) <= 18
    if not is_number or not spin.least <= int(value) <= spin.most:
        raise ValueError(f"expected {spin.least} to {spin.most} for {name}, not {value[:40]!r}")
    return _with(options, spin.field, int(value))


def _with(options: Options, field: str, value: int) -> Options:
    changes: dict[str, int] = {field: value}
    return replace(options, **changes)  # type: ignore[arg-type]
