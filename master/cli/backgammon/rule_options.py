"""Options that commands about backgammon share: rules (--met, --jacoby, --beavers), engine, IDs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from engine_ext.backgammon.limits import PLY_MAX
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from master.cli.arguments import CountType, Decorator, reads, together
from master.cli.configuration import is_configured
from protocol.guards.renamed_option import renamed_option

if TYPE_CHECKING:
    from engine_ext.backgammon.match_state import GameState
    from engine_ext.backgammon.match_table import MatchTable
    from master.games.backgammon.external.best_action import Level
    from master.games.backgammon.typed import Dice

_RANKS = {ParameterSource.DEFAULT: 0, ParameterSource.DEFAULT_MAP: 1}
"""Precedence of the places of a value; the command line and the environment have a higher one."""


def counts_beside_level(name: str) -> bool:
    """Whether an option counts beside --level: it is given, in a place of no less precedence."""
    return _rank(name) > 0 and _rank(name) >= _rank("level")


def _rank(name: str) -> int:
    source = click.get_current_context().get_parameter_source(name)
    return 0 if source is None else _RANKS.get(source, len(_RANKS))


def read_id_or_recorded(text: str) -> GameState:
    """Return the state of an ID, or of `move 3.42 of m2.mat`; ValueError if it is neither."""
    from master.games.backgammon import front, typed  # noqa: PLC0415  # --help loads no engine

    assert front.FRONT.read_recorded is not None, "backgammon has matches"
    recorded = front.FRONT.read_recorded(text)
    return typed.read_id(text) if recorded is None else recorded.position


def read_dice(text: str) -> Dice:
    """Return two dice; ValueError if they are none."""
    from master.games.backgammon import typed  # noqa: PLC0415  # as above

    return typed.read_dice(text)


def ply_option(name: str, field: str, text: str, default: int | None = None) -> Decorator:
    """Return an option that takes a ply, and shows its default unless that is None.

    For `--plies` the word `--depth` is accepted, which other games' programs have.
    """
    return renamed_option(
        name, field, old=["--depth"] if name == "--plies" else [], type=CountType(0, PLY_MAX),
        default=default, show_default=default is not None, metavar="N", help=text,
    )  # fmt: skip


PLY_OF_ADVICE = 2
"""As deep as gnubg looks for a hint, and as everything else here that gives advice."""

PLY_OF_BATCHES = 0
"""A thousand positions in a second; deeper is a matter of minutes, and asked for."""

plies_option = ply_option(
    "--plies", "ply", "Look-ahead in gnubg's count (0 = static evaluation).  [default: "
    f"{PLY_OF_ADVICE}, or {PLY_OF_BATCHES} with --batch]",
)  # fmt: skip


ADVICE_LEVELS = ("quick", "normal", "deep")
"""Levels of analysis without rollouts."""

level_option = click.option(
    "--level", type=click.Choice(ADVICE_LEVELS),
    help="Look-ahead and filter by name, as of `manyply analyse`; --plies overrules it.",
)  # fmt: skip


def ply_of(ply: int | None, level: str | None = None, *, is_batch: bool) -> int:
    """Return the look-ahead that is given, that of the level, or the default."""
    if level is not None and not counts_beside_level("ply"):
        from master.games.backgammon.levels import LEVELS  # noqa: PLC0415  # --help loads no engine

        return LEVELS[level].ply
    if ply is not None:
        return ply
    return PLY_OF_BATCHES if is_batch else PLY_OF_ADVICE


def filter_of(move_filter: str, level: str | None) -> str:
    """Return the move filter that is given, or that of the level."""
    if level is None or counts_beside_level("move_filter"):
        return move_filter
    from master.games.backgammon.levels import LEVELS  # noqa: PLC0415  # as above

    return LEVELS[level].move_filter


filter_option = click.option(
    "--filter", "move_filter", type=click.Choice(MOVE_FILTERS), default="normal",
    show_default=True, help="How many moves are searched deeper, from 1-ply on.",
)  # fmt: skip

batch_option = click.option(
    "--batch", type=click.File("r", errors="replace"), metavar="FILE|-",
    help="Read one ID a line; answer one JSON object a line, in order.",
)  # fmt: skip


_NAMES = ("table", "jacoby", "beavers")
"""The parameters of the options, and fields of Rules."""


@dataclass(frozen=True)
class Rules:
    """The rules of the command line; None: as the ID says, and the shipped table.

    Args:
        table: The match equities.
        jacoby: Whether gammons count only once the cube is turned.
        beavers: Whether a double may be beavered.
        configured: Names of those from the configuration file. They apply to every ID that has such
            a rule, and contradict no other ID.
    """

    table: MatchTable | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    configured: frozenset[str] = field(default=frozenset(), compare=False)

    def fitting(self, *, is_match: bool) -> Rules:
        """Return these rules, without those of the file for the other form of play."""
        others = ("jacoby", "beavers") if is_match else ("table",)
        dropped: dict[str, Any] = {name: None for name in others if name in self.configured}
        return replace(self, **dropped)


def given_rules(given: dict[str, Any]) -> Rules:
    """Return the rules that the running command was given by `rules_options`."""
    return Rules(**given, configured=frozenset(filter(is_configured, _NAMES)))


def apply_rules(state: GameState, rules: Rules) -> GameState:
    """Return the state with the rules given, whose table has equities for it.

    Raises:
        click.UsageError: an option of match play for money play, or the other way round.
        ValueError: the table has no equities at this score.
    """
    from engine_ext.backgammon.match_cube import cube_of  # noqa: PLC0415  # --help loads no engine

    match = state.match
    is_match = match.match_length > 0
    rules = rules.fitting(is_match=is_match)
    if is_match and (rules.jacoby, rules.beavers) != (None, None):
        raise click.UsageError(
            "--jacoby and --beavers are for money play, and this ID is match play"
        )
    if rules.table is not None and not is_match:
        raise click.UsageError("--met is for match play, and this ID is money play")
    cube_of(match, rules.table)
    jacoby = match.jacoby if rules.jacoby is None else rules.jacoby
    beavers = match.beavers if rules.beavers is None else rules.beavers
    return replace(state, match=replace(match, jacoby=jacoby, beavers=beavers))


def ruled(state: GameState, rules: Rules) -> GameState:
    """As apply_rules, for an ID on the command line: any mistake is a click.UsageError."""
    try:
        return apply_rules(state, rules)
    except ValueError as error:
        blamed = "--met: " if rules.table is not None else ""
        raise click.UsageError(f"{blamed}{error}") from error


def read_match_table(text: str) -> MatchTable:
    """Return the table of an XML file of match equities; ValueError describes a mistake."""
    # XML and the formulas are loaded only for users with such a file.
    from engine_ext.backgammon.match_table import MatchTable  # noqa: PLC0415
    from engine_ext.backgammon.met import MET_CHARS_MAX, MetError  # noqa: PLC0415
    from engine_ext.backgammon.met_xml import met_from_xml  # noqa: PLC0415
    from protocol.guards.bounded_file import read_bounded  # noqa: PLC0415

    path = Path(text)
    try:
        content, _ = read_bounded(path, MET_CHARS_MAX)
        return MatchTable(met_from_xml(content.decode("utf-8", errors="replace")))
    except OSError as error:
        raise ValueError(f"cannot read {text}: {error.strerror}") from error
    except MetError as error:
        raise ValueError(f"{text}: {error}") from error


rules_options = together(
    click.option("--met", "table", callback=reads(read_match_table), metavar="FILE",
                 help="Match equity table, XML as gnubg's; match play only.  "
                 "[default: Kazaross-XG2]"),
    click.option("--jacoby/--no-jacoby", default=None,
                 help="Jacoby rule: gammons count only once the cube is turned; money play only."
                 "  [default: as ID says, else on]"),
    click.option("--beavers/--no-beavers", default=None,
                 help="Beavers: a player who is doubled may redouble at once and keep the cube; "
                 "money play only.  [default: as an XGID says, else on]"),
)  # fmt: skip
"""The options, given to the command under the names of the fields of Rules."""


PLIES_DEFAULT = 2

level_options = together(
    ply_option("--plies", "ply", "Look-ahead of checker play.", PLIES_DEFAULT),
    ply_option("--cube-plies", "cube_ply", "Look-ahead of cube decisions.  [default: as --plies]"),
    click.option(
        "--met", "table", callback=reads(read_match_table), metavar="FILE",
        help="Match equity table, XML as gnubg's.  [default: Kazaross-XG2]",
    ),
)  # fmt: skip
"""A command is given them as `ply`, `cube_ply` and `table`."""


def level_of(ply: int, cube_ply: int | None, table: MatchTable | None) -> Level:
    """Return the level that these options name."""
    from master.games.backgammon.external.best_action import Level  # noqa: PLC0415  # as above

    return Level(ply, ply if cube_ply is None else cube_ply, table)
