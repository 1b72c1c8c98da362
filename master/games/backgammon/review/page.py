"""A review as a page: one file that opens offline, with every decision's board.

The styles are in master/reports.  Nothing in it depends on the analysers or on the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine_ext.backgammon.xgid import to_xgid
from master.games.backgammon.drawing.board_svg import BOARD, checker_parts, player_rows, slots_text
from master.games.backgammon.drawing.shapes import HEIGHT, STYLE, WIDTH, definitions
from master.games.backgammon.figure_rows import ABSENT, Unit, figure_sections
from master.games.backgammon.matches.figures import Both, Mark, mark
from master.games.backgammon.matches.judging import Judgement
from master.games.backgammon.review.turns import (
    Candidate,
    GameReview,
    GameTrend,
    MatchReview,
    Step,
    Turn,
    trend,
)
from master.games.backgammon.review.wording import (
    asked_state,
    bottom,
    chances,
    cube_basis,
    cube_rows,
    cube_verdict,
    done,
    drawing,
    equity,
    error_words,
    loss,
    luck_words,
    match_words,
    place,
    result_words,
    rules_words,
    settings_words,
    tags_of,
    unit_of,
)
from master.reports.html_page import controls, facts, review_html, table
from master.reports.markup import escaped
from master.reports.trend_plot import Border, Panel, Point, Target, trend_plot

_MARK_CLASSES = {Mark.NONE: "", Mark.DOUBTFUL: " m1", Mark.BAD: " m2", Mark.VERY_BAD: " m3"}


def row_shapes(review: MatchReview) -> Iterator[str]:
    """Yield boards without checkers: one for each game and player at the bottom."""
    for game in review.games:
        known = set[int]()
        for turn in game.turns:
            if turn.decisions and bottom(turn) not in known:
                known.add(bottom(turn))
                rows = "".join(player_rows(drawing(turn, review.names)))
                yield f'<g id="{_row_name(turn)}">{rows}{BOARD}</g>'


def _row_name(turn: Turn) -> str:
    return f"r{turn.game + 1}-{bottom(turn)}"


def game_parts(review: MatchReview, game: GameReview) -> Iterator[str]:
    """Yield a game: its heading, its turns and its result."""
    score = f"{game.game.score[0]}-{game.game.score[1]}"
    crawford = ", Crawford game" if game.game.is_crawford else ""
    number = game.index + 1
    yield f'<h3 id="g{number}">Game {number} <small>at {score}{crawford}</small></h3>'
    for turn in game.turns:
        yield from _turn(review, turn)
    yield from _comments(game.comments)
    yield f'<p class="end">{escaped(result_words(game.game, review.names))}.</p>'
    yield f'<details class="of-game"><summary>Figures of game {number}</summary>'
    yield from figure_tables(review, game.figures)
    yield "</details>"


def _turn(review: MatchReview, turn: Turn) -> Iterator[str]:
    who = f"{checker(turn.player)}{escaped(review.names[turn.player])}"
    number = f'<a href="#m{place(turn)}">{place(turn)}</a>'
    if not turn.decisions:
        yield f'<p class="slim" id="m{place(turn)}">{number} {who} {escaped(done(turn))}</p>'
        yield from _comments(turn.comments)
        return
    worst = max(each.error for each in turn.decisions)
    kind = "c" if _has_open_cube(turn) else "m"
    yield (
        f'<article class="turn{_MARK_CLASSES[mark(worst)]}" id="m{place(turn)}" '
        f'data-p="{turn.player}" data-e="{turn.error:.4f}" data-k="{kind}">'
    )
    yield f"<h4>{number} {who} {escaped(done(turn))}"
    if words := error_words(turn):
        cost = unit_of(review).cost(-turn.cost)
        yield f' <span class="error">{words} <small>({cost})</small></span>'
    yield "</h4>"
    yield from _board(review, turn)
    yield "<div>"
    yield from _moves(turn)
    yield from _cube(turn)
    if words := luck_words(turn):
        yield f'<p class="luck">Luck {words}'
    yield from _comments(turn.comments)
    yield f'<p class="ids"><code>{to_xgid(asked_state(turn))}</code>'
    yield "</div></article>"


def _board(review: MatchReview, turn: Turn) -> Iterator[str]:
    drawn = drawing(turn, review.names)
    own, other = drawn.scene.position.on_roll, drawn.scene.position.opponent
    names = [escaped(name) for name in drawn.scene.names]
    label = f"{names[0]}: {slots_text(own)}; {names[1]}: {slots_text(other)}"
    parts = "".join(checker_parts(drawn))
    yield (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f'<use href="#{_row_name(turn)}"/>{parts}</svg>'
    )


def _moves(turn: Turn) -> Iterator[str]:
    if turn.checker is None or turn.move_decision is None:
        return
    yield (
        '<table class="moves"><thead><tr><th>#<th>Move<th>Equity<th>Diff<th>Win g bg - lose g bg, %'
        "<th>Level</thead><tbody>"
    )
    has_better = turn.checker.played != 0
    for each in turn.candidates:
        yield _move_row(each, has_better=has_better)
    yield "</tbody></table>"


def _move_row(each: Candidate, *, has_better: bool) -> str:
    badge, name = "", ""
    if each.is_played:
        badge, name = '<b class="P" title="played">P</b>', ' class="played"'
    elif has_better and each.rank == 1:
        badge = '<b class="B" title="better">B</b>'
    move = each.move
    return (
        f"<tr{name}><td>{each.rank_text}{badge}<td>{escaped(move.text)}"
        f"<td>{equity(move.equity_cubeful, move.std_error)}<td>{loss(each.loss)}"
        f"<td>{chances(move.probs)}<td>{escaped(move.level)}"
    )


def _has_open_cube(turn: Turn) -> bool:
    """Whether to show the cube question: there was an action, it is close, or an error."""
    decision = turn.cube_decision
    return decision is not None and (decision.is_close or decision.error > 0.0)


def _cube(turn: Turn) -> Iterator[str]:
    if turn.cube is None or turn.cube_decision is None:
        return
    rows = cube_rows(turn.cube)
    if not _has_open_cube(turn):
        amounts = "; ".join(f"{name} {value:+z.3f}" for name, value, _ in rows)
        yield f'<p class="told">Cube: {amounts}. {escaped(cube_verdict(turn))}'
        return
    yield '<table class="cube"><thead><tr><th>Cube<th>Equity<th>Diff</thead><tbody>'
    for name, value, lack in rows:
        yield f"<tr><td>{name}<td>{value:+z.3f}<td>{'' if lack == 0.0 else f'{lack:+z.3f}'}"
    yield "</tbody></table>"
    yield f'<p class="told">{escaped(cube_basis(turn.cube))}'
    yield f'<p class="verdict">{escaped(cube_verdict(turn))}'
    if turn.dice is not None:
        yield f'<p class="ids"><code>{to_xgid(asked_state(turn, is_rolled=False))}</code>'


def _comments(texts: tuple[str, ...]) -> Iterator[str]:
    for text in texts:
        yield f'<p class="comment">{escaped(text)}</p>'


NAMED_SHARE = 0.1
"""A game with at least this share of the plot has the label `Game 3`, a shorter one `3`."""


def trend_parts(review: MatchReview) -> Iterator[str]:
    """Yield the section of the curves; nothing for a match without actions."""
    games = trend(review)
    steps = [step for game in games for step in game.steps]
    if not steps:
        return
    unit = unit_of(review)
    panels = [_match_values(review, games), _error_panel(review, unit, steps)]
    if any(step.turn.luck is not None for step in steps):
        panels.insert(1, _luck(review, unit, steps))
    borders, first = [], 0
    for game in games:
        number = game.review.index + 1
        is_long = len(game.steps) >= NAMED_SHARE * len(steps)
        borders.append(Border(first, f"Game {number}" if is_long else f"{number}", f"#g{number}"))
        first += len(game.steps)
    targets = [
        Target(f"#m{place(step.turn)}", _hint(review, unit, step), bool(error_words(step.turn)))
        for step in steps
    ]
    yield '<section class="wide"><h2>Course of the match</h2>'
    yield from trend_plot(panels, targets, borders)
    yield '<p class="small">Click a step to go to its move.</p>'
    yield "</section>"


def _hint(review: MatchReview, unit: Unit, step: Step) -> str:
    """Return a description of a step, in one line."""
    turn = step.turn
    words = f"{place(turn)} {review.names[turn.player]}: {done(turn)}"
    if step.match_value is not None:
        words += f"; {_match_value_text(review, step.match_value)}"
    return words + (f"; {error_words(turn)} ({unit.cost(-turn.cost)})" if turn.error else "")


def _match_value_text(review: MatchReview, value: float) -> str:
    if review.analysed.match.length:
        return f"{review.names[0]} {100 * value:.1f} %"
    return f"{review.names[0]} {value:+z.2f}"


def _match_values(review: MatchReview, games: Sequence[GameTrend]) -> Panel:
    lines, first = list[list[Point]](), 0
    for game in games:
        line: list[Point] = [(first, game.before)]
        line += [
            (first + number, step.match_value)
            for number, step in enumerate(game.steps, start=1)
            if step.match_value is not None
        ]
        first += len(game.steps)
        if game.after is not None:
            line.append((first, game.after))
        lines.append(line)
    one, other = review.names
    if review.analysed.match.length:
        labels = [(1.0, f"{one} 100 %"), (0.5, "50 %"), (0.0, f"{other} 100 %")]
        return Panel("Match winning chance", (0.0, 1.0), labels, lines, height=180)
    most = max(1.0, *(abs(y) for line in lines for _, y in line))
    labels = [(most, f"{one} +{most:.1f}"), (0.0, "0"), (-most, f"{other} +{most:.1f}")]
    return Panel("Points ahead, with the equity of the game", (-most, most), labels, lines,
                 height=180)  # fmt: skip


def _luck(review: MatchReview, unit: Unit, steps: Sequence[Step]) -> Panel:
    line: list[Point] = [(0, 0.0), *((x, each.luck) for x, each in enumerate(steps, start=1))]
    most = max(0.01, *(abs(y) for _, y in line))
    labels = _mirrored(review, unit, most)
    return Panel("Luck so far", (-most, most), labels, [line], height=110)


def _error_panel(review: MatchReview, unit: Unit, steps: Sequence[Step]) -> Panel:
    bars = [
        (x, -each.turn.cost if each.turn.player else each.turn.cost) for x, each in enumerate(steps)
    ]
    most = max(0.01, *(abs(y) for _, y in bars))
    labels = _mirrored(review, unit, most)
    return Panel("Errors, by what they cost", (-most, most), labels, (), bars, height=110)


def _mirrored(review: MatchReview, unit: Unit, most: float) -> list[tuple[float, str]]:
    """Return the labels of an axis on which player 0 is above and player 1 below."""
    size = unit.cost(most).removeprefix("+")
    one, other = review.names
    return [(most, f"{one} {size}"), (0.0, ""), (-most, f"{other} {size}")]


ERRORS_LISTED = 20
"""Of the largest; all of them are among the moves."""


def head_parts(review: MatchReview) -> Iterator[str]:
    """Yield the parts above the curves: players, match, and the figures of both players."""
    names = [f"{checker(player)}{escaped(review.names[player])}" for player in (0, 1)]
    yield f"<header><h1>{names[0]} &ndash; {names[1]}</h1>"
    yield f"<p>{escaped(match_words(review))}</p>"
    own = [("rules", rules_words(review)), ("analysis", settings_words(review))]
    yield from facts([*tags_of(review), *own])
    for warning in review.analysed.notices:
        yield f'<p class="warning">Warning: {escaped(warning)}</p>'
    yield "</header>"
    yield '<section class="wide"><h2>Figures</h2>'
    yield from figure_tables(review, review.figures.match)
    yield "</section>"


def list_parts(review: MatchReview) -> Iterator[str]:
    """Yield the parts below the curves: the games and the largest errors, with links."""
    yield '<section class="wide"><h2>Games</h2>'
    yield from _games(review)
    yield "</section>"
    if errors := review.figures.errors()[:ERRORS_LISTED]:
        yield '<section class="wide"><h2>Largest errors</h2>'
        yield from _errors(review, errors)
        yield "</section>"


def checker(player: int) -> str:
    """Return a checker of a player's colour, as an ornament."""
    return f'<i class="c{player}"></i>'


def figure_tables(review: MatchReview, both: Both) -> Iterator[str]:
    """Yield the figures of both players in the match, or in a game."""
    heads = ["", *(f"{checker(each)}{escaped(review.names[each])}" for each in review.players)]
    yield '<div class="four">'
    for section in figure_sections(unit_of(review)):
        rows = [
            (
                escaped(label),
                *(escaped(cell(both[each])) for each in review.players),
            )
            for label, cell in section
        ]
        yield from table(heads, rows, "figures")
    yield "</div>"


def _games(review: MatchReview) -> Iterator[str]:
    unit = unit_of(review)
    names = [escaped(review.names[each]) for each in review.players]
    heads = ["Game", "Score", "Result", *(f"PR {each}" for each in names)]
    heads += [f"Luck {each}" for each in names]
    rows = []
    for game in review.games:
        own = [game.figures[each] for each in review.players]
        score = "-".join(map(str, game.game.score))
        rows.append(
            [
                f'<a href="#g{game.index + 1}">{game.index + 1}</a>',
                score + (" Crawford" if game.game.is_crawford else ""),
                escaped(result_words(game.game, review.names)),
                *(ABSENT if each.pr is None else f"{each.pr:.2f}" for each in own),
                *(unit.luck(each.tally.luck) for each in own),
            ]
        )
    yield from table(heads, rows, "games")


def _errors(review: MatchReview, errors: Sequence[Judgement]) -> Iterator[str]:
    unit = unit_of(review)
    heads = ["Move", "Player", "Error", unit.name, "", "Roll", "Played", "Better"]
    rows = []
    for each in errors:
        place = f"{each.game + 1}.{each.action + 1}"
        rows.append(
            [
                f'<a href="#m{place}">{place}</a>',
                f"{checker(each.player)}{escaped(review.names[each.player])}",
                f"{-each.error:z.3f}",
                unit.cost(-each.cost),
                mark(each.error).value,
                "" if each.dice is None else f"{each.dice[0]}-{each.dice[1]}",
                escaped(each.played),
                escaped(each.best),
            ]
        )
    yield from table(heads, rows, "errors")


SHOWN = (("all", "everything"), ("errors", "errors"), ("bad", "bad errors"), ("cube", "cube"))
"""The filters that the reader may choose; review.js uses the same words."""


def review_page(review: MatchReview) -> str:
    """Return the page of a review.

    Raises:
        RecordError: a game breaks the rules.
    """
    title = f"{review.names[0]} - {review.names[1]}: backgammon match, analysed"
    return review_html(title, STYLE, _parts(review))


def _parts(review: MatchReview) -> Iterator[str]:
    shapes = definitions() + "".join(row_shapes(review))
    yield f'<svg class="shapes" aria-hidden="true"><defs>{shapes}</defs></svg>'
    yield from head_parts(review)
    yield from trend_parts(review)
    yield from list_parts(review)
    yield '<main id="moves"><h2>Move by move</h2>'
    yield from controls(SHOWN, review.names)
    for game in review.games:
        yield from game_parts(review, game)
    yield "</main>"
    yield '<footer class="small">Made by manyply.</footer>'
