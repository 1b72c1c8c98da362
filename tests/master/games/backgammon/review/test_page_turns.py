"""What stands at a move of the page: candidates, cube question, luck, comments and IDs."""

import re
from dataclasses import replace
from html import unescape

from engine_ext.backgammon.ids import parse_id
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.review.boards import asked_state
from master.games.backgammon.review.page_turns import game_parts, row_shapes
from master.games.backgammon.review.turns import MatchReview
from master.games.backgammon.review.wording import cube_rows
from tests.master.games.backgammon.review.reviews import played_review

ANSWERS = (ActionChoice.TAKE, ActionChoice.PASS)
ROW = re.compile(r"<tr( class=\"played\")?><td>(\d+)\+?(?:<b.*?</b>)?<td>([^<]*)<td>([^<]*)<td>")
REVIEW = played_review(3, 7)


def articles_of(review: MatchReview) -> dict[str, str]:
    parts = "\n".join(part for game in review.games for part in game_parts(review, game))
    return dict(re.findall(r'<article [^>]*id="m([0-9.]+)"(.*?)</article>', parts, re.DOTALL))


ARTICLES = articles_of(REVIEW)


def test_candidates_stand_with_rank_move_and_equity_and_the_played_one_is_marked() -> None:
    for turn in REVIEW.turns:
        if turn.move_decision is None:
            continue
        rows = ROW.findall(ARTICLES[f"{turn.game + 1}.{turn.index + 1}"])
        assert [(int(rank), unescape(move), bool(mark)) for mark, rank, move, _ in rows] == [
            (each.rank, each.move.text, each.is_played) for each in turn.candidates
        ]
        assert [float(row[3]) for row in rows] == [
            round(each.move.equity_cubeful, 3) for each in turn.candidates
        ]


def test_cube_question_is_a_table_where_it_was_close_or_acted_on() -> None:
    for turn in REVIEW.turns:
        if turn.cube_decision is None or turn.cube is None:
            continue
        article = ARTICLES[f"{turn.game + 1}.{turn.index + 1}"]
        decision = turn.cube_decision
        is_panel = decision.is_close or decision.error > 0.0
        assert ('<table class="cube">' in article) == is_panel
        for name, value, _ in cube_rows(turn.cube):
            words = f"<td>{name}<td>{value:+.3f}" if is_panel else f"{name} {value:+.3f}"
            assert words in article
        assert f"Proper {'answer' if decision.choice in ANSWERS else 'cube action'}: " in article


def test_ids_read_back_to_what_was_asked() -> None:
    for turn in REVIEW.turns:
        if not turn.decisions:
            continue
        found = re.findall("<code>(.*?)</code>", ARTICLES[f"{turn.game + 1}.{turn.index + 1}"])
        state = parse_id(found[-1])
        assert (state.position, state.match.dice) == (
            turn.state.position, asked_state(turn).match.dice,
        )  # fmt: skip


def test_errors_have_their_mark_and_cost() -> None:
    worst = max(REVIEW.turns, key=lambda turn: turn.error)
    article = ARTICLES[f"{worst.game + 1}.{worst.index + 1}"]
    assert f"-{worst.error:.3f}, very bad" in article
    assert f"({100 * -worst.cost:+.2f}%)" in article


def test_comments_stand_at_their_move_and_at_the_end() -> None:
    match = REVIEW.analysed.match
    first = replace(
        match.games[0], comments=((0, "good\n<move>"), (len(match.games[0].actions), "gg"))
    )
    match = replace(match, games=(first, *match.games[1:]))
    review = replace(REVIEW, analysed=replace(REVIEW.analysed, match=match))
    parts = "\n".join(game_parts(review, review.games[0]))
    assert 'class="comment">good\n&lt;move&gt;</p>' in articles_of(review)["1.1"]
    assert parts.index('class="comment">gg</p>') > parts.rindex("</article>")


def test_names_beside_a_board_are_defined_once_for_a_game_and_session() -> None:
    names = re.findall('<g id="(r[0-9-]+)">', "".join(row_shapes(REVIEW)))
    assert len(names) == len(set(names)) <= 2 * len(REVIEW.games)
    used = set(re.findall('href="#(r[0-9-]+)"', "".join(ARTICLES.values())))
    assert used == set(names)


def test_each_game_ends_with_its_own_figures() -> None:
    for game in REVIEW.games:
        parts = "".join(game_parts(REVIEW, game))
        prs = [f"<td>{own.pr:.2f}</td>" for own in game.figures]
        assert f'<th scope="row">PR</th>{"".join(prs)}' in parts


def test_the_name_below_a_board_is_that_of_who_sits_there() -> None:
    rows = dict(re.findall('<g id="(r[0-9-]+)">(.*?)</g>', "".join(row_shapes(REVIEW))))
    for name, row in rows.items():
        texts = re.findall(r'<text class="b-s b-ink" x="\d+" y="(\d+)">([^<]+)', row)
        lower = max(texts, key=lambda text: int(text[0]))[1]
        assert lower == REVIEW.names[int(name[-1])]
