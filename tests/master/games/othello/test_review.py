"""Reviews of Othello games: their page, its moves and words."""

from __future__ import annotations

import re

from master.games.othello.analysis.judging import AnalysedGame
from master.games.othello.level import Level
from master.games.othello.review import (
    BOUNDS,
    Reviewed,
    field_name,
    game_parts,
    game_words,
    grade,
    grade_name,
    grade_words,
    level_words,
    place,
    player_of,
    players,
    review_page,
    value_after,
    value_words,
)
from master.reports.games_page import ERRORS_LISTED, player_mark
from tests.master.games.backgammon.review.page_reader import PageReader
from tests.master.games.othello.analysis.games import SHORTEST, TIGER, analysed
from tests.master.games.othello.board_reader import read_board, squares_of

_TURN = re.compile(r'<article class="turn[^>]* id="m(\d+)\.(\d+)".*?(<svg .*?</svg>)', re.DOTALL)


def page_of(*games: AnalysedGame) -> str:
    return review_page(Reviewed(games, Level(6, 10)))


def test_every_board_is_the_records() -> None:
    games = {1: analysed(TIGER, 1), 2: analysed(SHORTEST, 2)}
    seen = {
        (int(a), int(b)): read_board(svg) for a, b, svg in _TURN.findall(page_of(*games.values()))
    }
    assert len(seen) == sum(len(game.moves) for game in games.values())
    for (number, move), shown in seen.items():
        game = games[number]
        board, judged = game.record.game.boards[move - 1], game.moves[move - 1]
        assert shown.black == squares_of(board.black, 8)
        assert shown.white == squares_of(board.white, 8)
        assert shown.rings["played"] == judged.square
        assert ("better" in shown.rings) == (judged.lost > 0)
        assert shown.last == ({game.moves[move - 2].square} if move > 1 else set())


def test_page_is_one_file_whose_links_lead_to_what_is_there() -> None:
    page = PageReader(page_of(analysed(TIGER, 1), analysed(SHORTEST, 2)))
    names = set(page.names)
    assert len(names) == len(page.names)
    assert {each for each in page.references if not each.startswith("#")} == set()
    assert {each[1:] for each in page.references} <= names
    assert page.handlers == []


def test_figures_are_those_of_the_game() -> None:
    game = analysed(TIGER, 1, "Ann", "Bob")
    html = page_of(game)
    assert "<h1>Ann - Bob</h1>" in html
    for side in "XO":
        assert f"<td>{game.figures(side).discs_lost:.2f}</td>" in html
    assert "Largest errors" in html
    listed = re.findall(r'<th scope="row"><a href="#m1\.(\d+)">', html)
    assert listed == [str(move.number + 1) for move in game.worst(ERRORS_LISTED)]


def test_names_of_players_are_text() -> None:
    html = page_of(analysed(TIGER, 1, "<script>alert(1)</script>", "&amp;"))
    assert "<script>alert" not in html
    assert "&amp;amp;" in html


def test_same_games_give_the_same_page() -> None:
    assert page_of(analysed(TIGER)) == page_of(analysed(TIGER))
    assert "2 games" in page_of(analysed(TIGER), analysed(TIGER, 2))


GAME = analysed(TIGER, 3, "Ann <x>")


def test_every_move_with_a_choice_is_a_turn_in_order() -> None:
    html = "".join(game_parts(GAME))
    names = re.findall(r'<article class="turn[^"]*" id="m([0-9.]+)"', html)
    assert names == [place(GAME, move) for move in GAME.moves if move.judgement is not None]
    assert "Ann &lt;x&gt;" in html
    assert "<x>" not in html


def test_turns_tell_who_made_them_what_they_lost_and_how_bad_that_is() -> None:
    reported = {
        name: (marked, int(player), float(lost))
        for marked, name, player, lost in re.findall(
            r'<article class="turn( m\d)?" id="m([0-9.]+)" data-p="(\d)" data-e="([0-9.]+)"',
            "".join(game_parts(GAME)),
        )
    }
    for move in GAME.moves:
        marked = f" m{grade(move.lost)}" if grade(move.lost) else ""
        assert reported[place(GAME, move)] == (marked, int(move.side == "O"), move.lost)


def test_names_are_those_that_the_page_links() -> None:
    assert player_mark(1) == '<i class="c1"></i>'
    assert field_name(6) == "f6"


def test_errors_have_four_grades_and_each_begins_at_its_bound() -> None:
    assert [grade(bound) for bound in BOUNDS] == [1, 2, 3]
    assert [grade(bound - 0.01) for bound in BOUNDS] == [0, 1, 2]
    assert grade_name(0.0) == ""
    assert grade_words() == "doubtful from 2, bad from 4, very bad from 10"


def test_level_says_how_far_was_looked() -> None:
    assert level_words(Level(12, 20)) == "depth 12, exact scores from 20 empty squares on"
    assert level_words(Level(6, 0)) == "depth 6"
    assert level_words(Level(12, 0, 1.5)) == "1.5 s a move"


def test_values_after_moves_are_blacks() -> None:
    game = analysed(TIGER, black="Ann")
    assert players(game) == ("Ann", "White")
    for move in game.moves:
        found = move.judgement
        assert found is not None
        sign = 1 if player_of(move) == 0 else -1
        assert value_after(move) == sign * found.value
        assert value_words(found.value, move) == f"{found.value:+.0f}"


def test_game_is_named_by_its_end_and_its_opening() -> None:
    assert game_words(analysed(TIGER)) == "not over, Comp'Oth"
    assert game_words(analysed(SHORTEST)).startswith("64-0")
