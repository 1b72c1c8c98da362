"""Draws a board as lines of text, seen by the player at the bottom.

Styles are marks around spans; the caller turns them into colours or drops them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_id import to_match_id
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, GameState
from master.games.backgammon.epc import epc_note, epc_report
from master.games.spans import DrawnPosition, Line, Screen, Span
from master.reports.report import Report

ROWS = 5
"""Checkers drawn on a point; if there are more, their number is shown."""


NAME_COLUMNS = 19
"""Of a player's name; with the board they make 80 columns."""


SIDE_BY_SIDE_COLUMNS = 80
"""The width of a terminal with room for names and points beside the board; on a narrower one a name
is cut to the room beside the longest score, ten characters of 60."""


@dataclass(frozen=True)
class BoardScene:
    """The content of a drawing.

    Args:
        position: seen by the player at the bottom (`on_roll` are the bottom player's checkers).
        names: bottom player's, top player's.
        scores: points of both, bottom first.
        match_length: 0 = money play.
        cube_value: 1, 2, 4, ...
        cube_owner: 0 the bottom player, 1 the top one, -1 centred.
        dice: the roll to be played, or None.
        turn: 0 the bottom player acts, 1 the top one.
        is_crawford: no cube in this game.
    """

    position: Position
    names: tuple[str, str]
    scores: tuple[int, int] = (0, 0)
    match_length: int = 0
    cube_value: int = 1
    cube_owner: int = -1
    dice: tuple[int, int] | None = None
    turn: int = 0
    is_crawford: bool = False


NAMES = ("on roll", "opponent")
"""The names of players without other ones."""


def scene_of(
    state: GameState, dice: tuple[int, int] | None = None, names: tuple[str, str] = NAMES
) -> BoardScene:
    """Return a state with this roll, or its own: the player on roll is at the bottom."""
    match = state.match
    assert match.cube_owner in (CENTRED, ON_ROLL, 1), "seats are as the player on roll sees them"
    return BoardScene(
        position=state.position,
        names=names,
        scores=match.score,
        match_length=match.match_length,
        cube_value=match.cube_value,
        cube_owner=match.cube_owner,
        dice=dice or match.dice,
        is_crawford=match.crawford,
    )


MINE = "X"
THEIRS = "O"


def board_lines(scene: BoardScene, width: int = SIDE_BY_SIDE_COLUMNS) -> list[Line]:
    """Return the board, thirteen lines; names and points are to the right of it.

    If the columns are too few, names and points are above and below: then 60 columns are enough.
    """
    if width < SIDE_BY_SIDE_COLUMNS:
        return _stacked(scene, width)
    return [
        (*line, Span("  "), *side) if side else line
        for line, side in zip(_bare_lines(scene), _side_texts(scene), strict=True)
    ]


RESIGNED = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def offer_text(state: GameState, name: str) -> str:
    """Return the offer that the opponent must answer, or nothing."""
    match = state.match
    if match.is_double_offered:
        return f"{name} doubles to {2 * match.cube_value}"
    return f"{name} resigns {RESIGNED[match.resignation]}" if match.resignation else ""


def draw_position(state: GameState, screen: Screen) -> DrawnPosition:
    """Return a state's ID and board, and the offer to be answered."""
    lines = board_lines(scene_of(state), screen.width or SIDE_BY_SIDE_COLUMNS)
    notes = (offer_text(state, NAMES[0]), epc_note(state, NAMES))
    return DrawnPosition(to_gnubg_id(state), lines, "; ".join(filter(None, notes)))


def position_report(state: GameState) -> Report:
    """Return a position and its match, both seen by the player on roll."""
    pips = state.position.pip_counts()
    return {
        "position_id": state.position.position_id,
        "match_id": to_match_id(state.match),
        "pip_counts": list(pips),
        "epc": epc_report(state),
        "match": asdict(state.match),
    }


def _stacked(scene: BoardScene, width: int) -> list[Line]:
    middle = ROWS + 1
    nameless = _side_texts(replace(scene, names=("", "")))
    names = _one_line(nameless[:middle:-1]), _one_line(nameless[:middle])
    rooms = [max(0, width - sum(len(span.text) for span in line)) for line in names]
    sides = _side_texts(
        replace(scene, names=(scene.names[0][: rooms[0]], scene.names[1][: rooms[1]]))
    )
    below = [_one_line(sides[:middle:-1])]
    if any(span.text for span in sides[middle]):
        below.append((Span(" "), *sides[middle]))
    return [_one_line(sides[:middle]), *_bare_lines(scene), *below]


def _one_line(sides: Sequence[Line]) -> Line:
    """Return the text about one player, on one line."""
    present = [side for side in sides if side]
    first = (Span(" "), *present[0])
    return first + tuple(span for side in present[1:] for span in (Span("  "), *side))


def _bare_lines(scene: BoardScene) -> list[Line]:
    top = [*range(13, 19)], [*range(19, 25)]
    bottom = [*range(12, 6, -1)], [*range(6, 0, -1)]
    lines = [_numbers(top)]
    lines += [_row(scene.position, top, row, is_top=True) for row in range(ROWS)]
    lines += [(Span(" |                        |BAR|                        |", "dim"),)]
    lines += [_row(scene.position, bottom, row, is_top=False) for row in reversed(range(ROWS))]
    return [*lines, _numbers(bottom)]


def _numbers(halves: tuple[Sequence[int], Sequence[int]]) -> Line:
    left, right = ("".join(f"{point:->3}-" for point in half) for half in halves)
    return (Span(f" +{left}+---+{right}+", "dim"),)


def _row(
    position: Position, halves: tuple[Sequence[int], Sequence[int]], row: int, *, is_top: bool
) -> Line:
    """Return one row of checkers: row 0 is at the edge."""
    bar = _bar_cell(position, row, is_top=is_top)
    spans = [Span(" |", "dim")]
    spans += [_cell(position, point, row) for point in halves[0]]
    spans += [Span("|", "dim"), bar, Span("|", "dim")]
    spans += [_cell(position, point, row) for point in halves[1]]
    spans += [Span("|", "dim")]
    return tuple(spans)


def _cell(position: Position, point: int, row: int) -> Span:
    mine, theirs = position.on_roll[point], position.opponent[25 - point]
    count, mark, style = (mine, MINE, "mine") if mine else (theirs, THEIRS, "theirs")
    if row < count:
        if row == ROWS - 1 and count > ROWS:
            return Span(f" {count:>2} ", style)
        return Span(f"  {mark} ", style)
    return Span("  . " if point % 2 else "  : ", "dim") if row < ROWS - 1 else Span("    ")


def _bar_cell(position: Position, row: int, *, is_top: bool) -> Span:
    """Return the bar: the bottom player's checkers are in its upper half."""
    count = position.on_roll[25] if is_top else position.opponent[25]
    mark, style = (MINE, "mine") if is_top else (THEIRS, "theirs")
    place = ROWS - 1 - row  # from the middle outwards
    if place >= count:
        return Span("   ")
    if place == ROWS - 1 and count > ROWS:
        return Span(f"{count:>2} ", style)
    return Span(f" {mark} ", style)


def _side_texts(scene: BoardScene) -> list[Line]:
    """Return the text right of each of the thirteen lines: top player, middle, bottom player."""
    pips = scene.position.pip_counts()
    checkers = scene.position.on_roll, scene.position.opponent
    length = f" of {scene.match_length}" if scene.match_length else ""
    sides: list[Line] = [() for _ in range(2 * ROWS + 3)]
    for rows, player_index in ((range(4), 1), (range(12, 8, -1), 0)):
        mark, style = ((MINE, "mine"), (THEIRS, "theirs"))[player_index]
        off = checkers[player_index][0]
        name, points, race, cube = rows
        sides[name] = (Span(f"{mark} {scene.names[player_index][:NAME_COLUMNS]}", style),)
        sides[points] = (Span(f"{scene.scores[player_index]}{length} points"),)
        sides[race] = (Span(f"{pips[player_index]} pips" + (f", {off} off" if off else "")),)
        if scene.cube_owner == player_index:
            sides[cube] = (Span(f"cube {scene.cube_value}", "strong"),)
    sides[ROWS + 1] = _centre(scene)
    return sides


def _centre(scene: BoardScene) -> Line:
    """Return the middle line's text: the roll, and the cube while nobody owns it."""
    if scene.is_crawford:
        cube = Span("Crawford game: no cube", "dim")
    elif scene.cube_owner == -1:
        cube = Span(f"cube {scene.cube_value}", "dim")
    else:
        cube = Span("")
    if scene.dice is None:
        return (cube,)
    mark, style = ((MINE, "mine"), (THEIRS, "theirs"))[scene.turn]
    rolled = Span(f"{mark} rolled {scene.dice[0]}-{scene.dice[1]}", style)
    return (rolled, Span("   "), cube) if cube.text else (rolled,)
