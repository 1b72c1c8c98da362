import re

from master.games.chess.review.page_moves import game_parts, man, place
from master.games.chess.review.wording import grade, player_of
from tests.master.games.chess.analysis.games import SCHOLAR, analysed

GAME = analysed(SCHOLAR.replace("Ann", "Ann <x>"), 2_000)
HTML = "".join(game_parts(3, GAME))


def test_every_move_is_a_turn_with_who_made_it_and_what_it_lost() -> None:
    found = re.findall(
        r'<article class="turn( m\d)?" id="m([0-9.]+)" data-p="(\d)" data-e="([0-9.]+)"', HTML
    )
    reported = [(name, marked, player, lost) for marked, name, player, lost in found]
    assert reported == [
        (
            place(3, move),
            f" m{grade(move)}" if grade(move) else "",
            str(player_of(GAME, move)),
            f"{move.lost:.2f}",
        )
        for move in GAME.moves
    ]


def test_names_are_text_and_better_lines_are_shown_where_something_was_lost() -> None:
    assert "Ann &lt;x&gt;" in HTML
    assert "<x>" not in HTML
    better = sum(not move.is_best and move.lost > 0 for move in GAME.moves)
    assert HTML.count('title="better"') == better > 0
    assert man(1) == '<i class="c1"></i>'
