"""A board as SVG, seen by the player at the bottom.

Shapes, colours and places are in shapes.  The same scene gives the same bytes.  The
document refers to nothing outside it, not even fonts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.move_text import split_move
from master.games.backgammon.drawing.shapes import (
    BAR_MIDDLE,
    BETTER,
    CHECKER,
    COLOURS,
    FRAME_BOTTOM,
    FRAME_LEFT,
    FRAME_RIGHT,
    GUTTER_MIDDLE,
    HEIGHT,
    MIDDLE,
    PLAYED,
    ROW,
    STACK,
    STYLE,
    TOP,
    TRAY_LEFT,
    TRAY_RIGHT,
    WIDTH,
    Spot,
    checker_spot,
    cube_spot,
    definitions,
    dice_spots,
    die_name,
    slab_y,
)
from master.games.backgammon.play.board_view import BoardScene, scene_of
from master.reports.markup import escaped

NAMES = ("Player on roll", "Opponent")


def state_svg(state: GameState) -> str:
    """Return the drawing of a state."""
    scene = scene_of(state, names=NAMES)
    return board_svg(BoardDrawing(scene, is_double_offered=state.match.is_double_offered))


BOARD = '<use href="#b-board"/>'
"""The board itself, below all other shapes."""

NAME_CHARACTERS = 24
"""Of a player's name; a longer one is cut, and the full one is in the title."""

FONT = 'font-family="system-ui, sans-serif"'

PIPS_WIDTH = 92
"""The width of the pip counts at the right end of a player's row."""

BENDS = {PLAYED: 0.1, BETTER: 0.28}
"""The bend of an arrow, as a part of its length, so that arrows of the same path are apart."""


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """The content of a drawing.

    Args:
        scene: position, names, score, cube and dice.
        played: a move of the player whose turn it is, in words; arrows show it.
        better: another one, likewise.
        is_bottom_dark: the player at the bottom has the dark checkers.
        is_double_offered: the bottom player has doubled, and the other one answers.
    """

    scene: BoardScene
    played: str = ""
    better: str = ""
    is_bottom_dark: bool = False
    is_double_offered: bool = False

    def colour(self, player_index: int) -> str:
        """Return the colour of a seat's checkers: `l` or `d`."""
        return COLOURS[player_index ^ self.is_bottom_dark]


def board_svg(drawing: BoardDrawing) -> str:
    """Return a document of one board."""
    legend = list(_legend(drawing))
    height = HEIGHT + ROW * bool(legend)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" role="img" aria-labelledby="t d" {FONT}>',
            f'<title id="t">{escaped(board_title(drawing))}</title>',
            f'<desc id="d">{escaped(board_text(drawing))}</desc>',
            f"<style>{STYLE}</style>",
            f"<defs>{definitions()}</defs>",
            f'<rect class="b-page" width="{WIDTH}" height="{height}"/>',
            *board_parts(drawing),
            *legend,
            "</svg>",
            "",
        )
    )


def board_parts(drawing: BoardDrawing) -> Iterator[str]:
    """Yield a board, drawn with the shapes that its document defines."""
    yield from player_rows(drawing)
    yield BOARD
    yield from checker_parts(drawing)


def player_rows(drawing: BoardDrawing) -> Iterator[str]:
    """Yield the parts that do not change during a game: names, colours and points."""
    for player_index in (0, 1):
        yield from _player_row(drawing, player_index)


def checker_parts(drawing: BoardDrawing) -> Iterator[str]:
    """Yield the parts that change with every move: checkers, pip counts, cube, dice and arrows."""
    for player_index in (0, 1):
        pips = drawing.scene.position.pip_counts()[player_index]
        place = f'x="{FRAME_RIGHT}" y="{_row_y(player_index) + 6}"'
        yield f'<text class="b-r" {place}>{pips} pips</text>'
        yield from _checkers(drawing, player_index)
    yield from _cube(drawing)
    yield from _dice(drawing)
    for kind, move in ((BETTER, drawing.better), (PLAYED, drawing.played)):
        if move:
            yield from _arrows(drawing, kind, move)


def board_title(drawing: BoardDrawing) -> str:
    """Return the decision on the board in a few words."""
    scene = drawing.scene
    mover, other = (scene.names[player_index] for player_index in (scene.turn, 1 - scene.turn))
    if drawing.is_double_offered:
        return f"Backgammon: {mover} doubles to {2 * scene.cube_value}, {other} to answer"
    if scene.dice is None:
        return f"Backgammon: {mover} to roll against {other}"
    return f"Backgammon: {mover} to play {scene.dice[0]}-{scene.dice[1]} against {other}"


def board_text(drawing: BoardDrawing) -> str:
    """Return the whole position in words, for people who cannot see it."""
    scene = drawing.scene
    parts = [checkers_text(drawing, player_index) for player_index in (0, 1)]
    owner = {0: f"owned by {scene.names[0]}", 1: f"owned by {scene.names[1]}"}
    cube = f"The cube is at {scene.cube_value}, {owner.get(scene.cube_owner, 'centred')}."
    parts.append("Crawford game: no cube." if scene.is_crawford else cube)
    arrows = (("Played", drawing.played), ("Better", drawing.better))
    return " ".join([*parts, *(f"{name}: {move}." for name, move in arrows if move)])


def checkers_text(drawing: BoardDrawing, player_index: int) -> str:
    """Return the places of a player's checkers in words, and the other texts beside the board."""
    scene = drawing.scene
    colour = {"l": "light", "d": "dark"}[drawing.colour(player_index)]
    side, pips = ("bottom", "top")[player_index], scene.position.pip_counts()[player_index]
    name, score = scene.names[player_index], _score(scene, player_index)
    who = f"{name} ({colour}, {side}), {score}, {pips} pips"
    return f"{who}: {slots_text((scene.position.on_roll, scene.position.opponent)[player_index])}."


def slots_text(slots: Sequence[int]) -> str:
    """Return the number of a player's checkers in each place: `24 2, 13 5, 8 3, 6 5`."""
    names = {25: "bar", 0: "off"}
    return ", ".join(
        f"{names.get(slot, str(slot))} {slots[slot]}" for slot in range(25, -1, -1) if slots[slot]
    )


def _score(scene: BoardScene, player_index: int) -> str:
    of = f" of {scene.match_length}" if scene.match_length else ""
    return f"{scene.scores[player_index]}{of} points"


def _row_y(player_index: int) -> int:
    return FRAME_BOTTOM + ROW // 2 if player_index == 0 else ROW // 2


def _player_row(drawing: BoardDrawing, player_index: int) -> Iterator[str]:
    scene, colour = drawing.scene, drawing.colour(player_index)
    y = _row_y(player_index)
    name = scene.names[player_index]
    if len(name) > NAME_CHARACTERS:
        name = name[: NAME_CHARACTERS - 1] + "…"
    yield f'<circle class="b-{colour}" cx="{FRAME_LEFT + 10}" cy="{y}" r="9"/>'
    yield f'<text class="b-s b-ink" x="{FRAME_LEFT + 28}" y="{y + 6}">{escaped(name)}</text>'
    place = f'x="{FRAME_RIGHT - PIPS_WIDTH}" y="{y + 6}"'
    yield f'<text class="b-s b-e b-ink" {place}>{_score(scene, player_index)}</text>'


def _checkers(drawing: BoardDrawing, player_index: int) -> Iterator[str]:
    """Yield a player's checkers: one line, a corner for each, and the numbers of high stacks."""
    position, colour = drawing.scene.position, drawing.colour(player_index)
    slots = (position.on_roll, position.opponent)[player_index]
    stacks = [(slot, slots[slot]) for slot in range(1, 26) if slots[slot]]
    if stacks:
        way = "".join(_stack(player_index, slot, min(count, STACK)) for slot, count in stacks)
        yield f'<path class="b-k{colour}" d="{way}"/>'
    for slot, count in stacks:
        if count > STACK:
            spot = checker_spot(player_index, slot, STACK - 1)
            place = f'x="{spot.x}" y="{spot.y + 6}"'
            yield f'<text class="b-c b-{colour}p" {place}>{count}</text>'
    if slots[0]:
        yield from _tray(colour, player_index, slots[0])


def _stack(player_index: int, slot: int, count: int) -> str:
    """Return the path over a stack's checkers; for one checker it has no length."""
    first, second = (checker_spot(player_index, slot, index) for index in (0, 1))
    return f"M{first.x} {first.y}" + (f"v{second.y - first.y}" * (count - 1) or "h0")


def _tray(colour: str, player_index: int, count: int) -> Iterator[str]:
    left, width = TRAY_LEFT + 4, TRAY_RIGHT - TRAY_LEFT - 8
    lines = "".join(f"M{left} {slab_y(player_index, index)}h{width}" for index in range(count))
    yield f'<path class="b-{colour}o" d="{lines}"/>'
    y = FRAME_BOTTOM - 5 if player_index == 0 else TOP - 6
    yield f'<text class="b-n b-number" x="{left + width // 2}" y="{y}">{count} off</text>'


def _cube(drawing: BoardDrawing) -> Iterator[str]:
    scene = drawing.scene
    if scene.is_crawford:
        turned = f'transform="rotate(-90 {GUTTER_MIDDLE} {MIDDLE})"'
        place = f'x="{GUTTER_MIDDLE}" y="{MIDDLE + 6}" {turned}'
        yield f'<text class="b-c b-ink" {place}>Crawford</text>'
        return
    value = scene.cube_value * (2 if drawing.is_double_offered else 1)
    spot = cube_spot(scene.cube_owner, is_offered=drawing.is_double_offered)
    size = {1: 24, 2: 22, 3: 18}.get(len(str(value)), 13)
    yield f'<use href="#b-q" x="{spot.x}" y="{spot.y}"/>'
    place = f'x="{spot.x}" y="{spot.y + size * 3 // 8}"'
    yield f'<text class="b-v b-value" {place} font-size="{size}">{value}</text>'


def _dice(drawing: BoardDrawing) -> Iterator[str]:
    scene = drawing.scene
    if scene.dice is None:
        return
    colour = drawing.colour(scene.turn)
    for die, spot in zip(scene.dice, dice_spots(scene.turn), strict=True):
        yield f'<use href="#{die_name(colour, die)}" x="{spot.x}" y="{spot.y}"/>'


def _arrows(drawing: BoardDrawing, kind: str, move: str) -> Iterator[str]:
    """Yield an arrow for each checker moved; the two kinds bend to different sides."""
    scene, player_index = drawing.scene, drawing.scene.turn
    counts = list((scene.position.on_roll, scene.position.opponent)[player_index])
    for chain in split_move(move):
        counts[chain.points[0]] -= 1
        spots = [checker_spot(player_index, slot, max(counts[slot], 0)) for slot in chain.points]
        counts[chain.points[-1]] += 1
        yield from _arrow(kind, spots)


def _arrow(kind: str, spots: list[Spot]) -> Iterator[str]:
    path = f"M{spots[0].x} {spots[0].y}"
    for begin, end in pairwise(spots):
        bend = _bend(begin, end, BENDS[kind])
        path += f"Q{bend.x} {bend.y} {end.x} {end.y}"
    yield f'<path class="b-{kind}" d="{path}"/>'
    begin, end = spots[0], spots[1]
    bend = _bend(begin, end, BENDS[kind])
    x, y = ((begin[i] + 2 * bend[i] + end[i]) // 4 for i in (0, 1))
    yield f'<use href="#b-{kind[0]}" x="{x}" y="{y}"/>'


def _bend(begin: Spot, end: Spot, part: float) -> Spot:
    """Return the control point that bends a line towards the middle of the board.

    If both sides are at about the same distance from it, all lines bend to the same one.
    """
    across, down = end.x - begin.x, end.y - begin.y
    usual, other = (
        Spot(
            round((begin.x + end.x) / 2 - side * part * down),
            round((begin.y + end.y) / 2 + side * part * across),
        )
        for side in (1, -1)
    )
    far, near = (abs(spot.x - BAR_MIDDLE) + abs(spot.y - MIDDLE) for spot in (usual, other))
    return other if near < far - CHECKER else usual


def _legend(drawing: BoardDrawing) -> Iterator[str]:
    x, y = FRAME_LEFT + 10, HEIGHT + ROW // 2 - 6
    for kind, move in ((PLAYED, drawing.played), (BETTER, drawing.better)):
        if move:
            yield f'<use href="#b-{kind[0]}" x="{x}" y="{y}"/>'
            text = f"{kind}: {escaped(move)}"
            yield f'<text class="b-s b-ink" x="{x + 18}" y="{y + 6}">{text}</text>'
            x += 310
