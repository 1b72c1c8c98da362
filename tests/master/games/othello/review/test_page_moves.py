import re

from master.games.othello.review.page_moves import disc, field_name, game_parts, place
from master.games.othello.review.wording import grade
from tests.master.games.othello.analysis.games import TIGER, analysed

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
    assert disc(1) == '<i class="c1"></i>'
    assert field_name(6) == "f6"
