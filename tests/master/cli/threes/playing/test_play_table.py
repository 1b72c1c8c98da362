"""The course of a game of Threes! at the table: master.cli.threes.playing.play_table.
What may be typed at a board of Threes!: master.cli.threes.playing.play_words.
Who values moves of Threes! at the table: master.cli.threes.playing.play_advisor."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.context import SEED_MAX, Lookahead
from engine_ext.threes.depth import dynamic_plies
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.cli.place import Place
from master.cli.playing.words import CommandMistake
from master.cli.terminal import HIDE_CURSOR, SHOW_CURSOR
from master.cli.threes.decider import Decider
from master.cli.threes.playing.play_advisor import ThreesAdvisor
from master.cli.threes.playing.play_screen import result_text
from master.cli.threes.playing.play_table import new_game, random_seed
from master.cli.threes.playing.play_words import ARROW_KEYS, read_moves
from master.games.threes.record import DIRECTION_OF, LETTER_OF, ThreesRecord
from tests.engine_ext.threes.plain_threes import played
from tests.master.cli.terminals import terminal
from tests.master.cli.threes.playing.tables import OTHER, FirstAdvisor, Script, play, table_of

Captured = pytest.CaptureFixture[str]


def test_each_line_of_moves_is_saved() -> None:
    script = Script("u", "ld")
    table = play(table_of(script))
    assert table.record == ThreesRecord(3, "uld")
    assert [record.moves for record, _ in script.saved] == ["u", "uld"]


def test_the_engine_plays_to_the_end_and_the_person_decides_what_then(capsys: Captured) -> None:
    script = Script("auto", "undo 2")
    table = play(table_of(script))
    assert table.whole.game.is_over
    assert table.is_over
    assert len(table.record.undone) == 2
    assert script.prompts[1] == "New, undo, review or quit? "
    assert capsys.readouterr().out.count("The game is over: ") == 1
    assert script.saved == [(table.whole, None)]


def test_a_game_that_is_watched_is_left_at_its_end(capsys: Captured) -> None:
    script = Script("u")
    table = play(table_of(script, is_watching=True))
    assert table.is_over
    assert script.prompts == []
    assert script.saved == [(table.record, None)]
    assert capsys.readouterr().out.count("moves  ") == 1


def test_a_watched_game_that_is_over_already_is_left() -> None:
    script = Script("auto")
    over = play(table_of(script)).record
    again = Script("u")
    assert play(table_of(again, over, is_watching=True)).record == over
    assert again.prompts == []


def test_ctrl_c_gives_the_game_back_to_the_person(capsys: Captured) -> None:
    script = Script("u")
    advisor = FirstAdvisor(interrupted_at=3)
    table = play(table_of(script, is_watching=True, advisor=advisor))
    assert len(table.record.moves) == 4
    assert "Stopped." in capsys.readouterr().out
    assert [len(record.moves) for record, _ in script.saved] == [3, 4]


@pytest.mark.parametrize(("step_s", "boards"), [(1 / 16, 10), (1 / 128, 2), (0.0, 1)])
def test_boards_are_drawn_twenty_times_a_second_at_most(
    step_s: float, boards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = (step_s * move for move in count())
    with terminal(80, monkeypatch) as screen:
        table = play(table_of(Script("auto 10"), clock=lambda: next(times)))
    assert len(table.record.moves) == 10
    assert screen.text.count("speed  ") == boards
    assert screen.shown.count("score  ") == 1
    assert "speed" not in screen.shown


def test_who_watches_sees_how_fast_it_goes_and_who_computes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    advisor = FirstAdvisor()
    monkeypatch.setattr(advisor, "shares", lambda: {"local": 6, "attic": 4})
    times = count()
    with terminal(80, monkeypatch) as screen:
        table = play(
            table_of(Script(), is_watching=True, advisor=advisor, clock=lambda: next(times))
        )
    shown = screen.shown.splitlines()
    assert any(line.endswith("   speed  1 moves/s") for line in shown)
    last = shown.index(result_text(table.record))
    assert shown[last - 1] == "local 60 %  attic 40 %"
    assert screen.shown.count("score  ") == 1
    assert screen.text.index(HIDE_CURSOR) < screen.text.index(SHOW_CURSOR)


def test_a_long_game_that_is_watched_is_saved_now_and_then() -> None:
    script = Script("auto 12")
    times = count()
    play(table_of(script, clock=lambda: next(times)))
    assert [len(record.moves) for record, _ in script.saved] == [5, 10, 12]


def test_ctrl_c_leaves_one_board_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(80, monkeypatch) as screen:
        play(table_of(Script("auto"), advisor=FirstAdvisor(interrupted_at=3)))
    assert screen.shown.count("score  ") == 1
    assert screen.shown.rstrip().endswith("\nStopped.")
    assert screen.text.index(HIDE_CURSOR) < screen.text.index(SHOW_CURSOR)


def test_a_remark_after_the_end_stands_below_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(80, monkeypatch) as screen:
        table = play(table_of(Script("auto", "u", "", "d")))
    *_, result, remark, end = screen.shown.split("\n")
    assert result == result_text(table.record)
    assert remark == "the game is over: expected new, undo, review or quit"
    assert end == ""


def test_the_line_editors_list_of_moves_stays_below_its_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with terminal(80, monkeypatch) as screen:
        script = Script()
        table = table_of(script)
        script.lines = iter(["u", table.moves, "l"])
        play(table)
    assert screen.shown.count("score  ") == 2


def test_what_was_taken_back_is_kept_until_it_is_replaced() -> None:
    script = Script("uld", "undo 2")
    table = play(table_of(script))
    assert (table.record.moves, table.whole.moves) == ("u", "uld")
    play(table_of(script, table.record))
    assert table.is_begun


def test_another_game_has_another_seed(capsys: Captured) -> None:
    script = Script("u", "new")
    table = play(table_of(script))
    assert (table.record.moves, script.begun) == ("", 1)
    assert f"Seed {table.record.seed}\n" in capsys.readouterr().out
    assert not table.is_begun


def test_another_game_may_be_loaded() -> None:
    assert play(table_of(Script("load other.threes"))).record == OTHER


def test_a_full_disk_does_not_end_the_game(capsys: Captured) -> None:
    script = Script("u", "l")
    script.is_disk_full = True
    assert play(table_of(script)).record.moves == "ul"
    assert "not saved: cannot write own.file" in capsys.readouterr().out


def test_a_seed_by_chance_is_one_that_can_be_given() -> None:
    seeds = {random_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert max(seeds) <= SEED_MAX


def test_a_seed_that_is_given_is_said(capsys: Captured) -> None:
    assert new_game(7) == ThreesRecord(7)
    assert capsys.readouterr().out == "Seed 7\n"


WAYS = {
    letter: (letter, letter.upper(), f" {name} ", f"\x1b[{arrow}", f"\x1bO{arrow}")
    for (letter, name), arrow in zip(DIRECTION_OF.items(), "ABDC", strict=True)
}


@given(st.data(), st.text("udlr", min_size=1, max_size=30))
def test_moves_are_read_however_they_are_typed(data: st.DataObject, letters: str) -> None:
    typed = "".join(data.draw(st.sampled_from(WAYS[letter])) for letter in letters)
    assert read_moves(typed) == letters


def test_an_arrow_key_is_a_move_that_can_be_read() -> None:
    assert {read_moves(line) for line in ARROW_KEYS.values()} == set(DIRECTION_OF)
    assert all(read_moves(sent) == read_moves(line) for sent, line in ARROW_KEYS.items())


@pytest.mark.parametrize("text", ["x", "ux", "\x1b[E", "\x1b", "u1", "1"])
def test_what_is_no_move_is_refused_without_steering_the_terminal(text: str) -> None:
    with pytest.raises(CommandMistake, match="is no command and no moves") as refused:
        read_moves(text)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("line", ["u", "U", "up", "\x1b[A"])
def test_u_is_a_move_and_no_undo(line: str) -> None:
    assert play(table_of(Script(line))).record.moves == "u"


def test_moves_are_made_until_one_is_illegal(capsys: Captured) -> None:
    table = play(table_of(Script("u" * 40 + "l")))
    made = len(table.record.moves)
    assert 0 < made < 40
    assert table.record.moves == "u" * made
    out = capsys.readouterr().out
    assert f"up moves nothing; not made: {'u' * (40 - made)}l; you may move " in out
    assert out.count("moves  ") == 2


def test_an_illegal_move_alone_changes_nothing(capsys: Captured) -> None:
    record = play(table_of(Script("u" * 40))).record
    script = Script("u")
    assert play(table_of(script, record)).record == record
    assert script.saved == []
    assert "up moves nothing; you may move " in capsys.readouterr().out


def test_hints_are_listed_best_first(capsys: Captured) -> None:
    advisor = FirstAdvisor()
    play(table_of(Script("hint", "hint 4"), advisor=advisor))
    lines = capsys.readouterr().out.splitlines()
    assert "1. up           1,000" in lines
    assert "2. down           990      -10" in lines
    assert advisor.asked == [None, 4]


def test_a_hint_looks_no_further_than_it_can(capsys: Captured) -> None:
    play(table_of(Script("hint 9", "auto 0")))
    out = capsys.readouterr().out
    assert "hint takes a number from 1 to 8, not '9'" in out
    assert "auto takes a number from 1 to 99999, not '0'" in out


def test_the_engine_makes_as_many_moves_as_it_is_let() -> None:
    script = Script("auto 7", "undo")
    table = play(table_of(script))
    assert (len(table.record.moves), len(table.record.undone)) == (6, 1)
    assert [len(record.moves) for record, _ in script.saved] == [7]


def test_a_review_has_the_largest_loss_first(capsys: Captured) -> None:
    advisor = FirstAdvisor()
    table = play(table_of(Script("dru", "review"), advisor=advisor))
    assert table.record.moves == "dru"
    assert advisor.asked == [2, 2, 2]
    lines = capsys.readouterr().out.splitlines()
    first = lines.index("3 moves judged, 1 of them best: 40 points lost")
    assert [line.split() for line in lines[first + 2 : first + 4]] == [
        ["2", "right", "up", "30"],
        ["1", "down", "up", "10"],
    ]


def test_a_review_that_is_stopped_shows_what_it_has(capsys: Captured) -> None:
    play(table_of(Script("dru", "review"), advisor=FirstAdvisor(interrupted_at=1)))
    assert "1 move judged, 0 of them best: 10 points lost" in capsys.readouterr().out


def test_a_start_has_nothing_to_review(capsys: Captured) -> None:
    play(table_of(Script("review")))
    assert "No move to judge." in capsys.readouterr().out


def test_a_game_that_is_over_takes_no_moves(capsys: Captured) -> None:
    script = Script("auto", "u", "hint", "auto", "")
    over = play(table_of(script)).record
    assert over.game.is_over
    assert capsys.readouterr().out.count("the game is over: expected new") == 4


def test_an_empty_line_asks_for_a_move(capsys: Captured) -> None:
    assert play(table_of(Script(""))).record == ThreesRecord(3)
    assert "expected a move, u, d, l or r: try help" in capsys.readouterr().out


def test_the_help_says_that_chance_follows_the_moves(capsys: Captured) -> None:
    play(table_of(Script("help")))
    out = capsys.readouterr().out
    assert "done again meets the same cards." in out
    for usage in ("u, d, l, r ", "hint [N] ", "auto [N] ", "undo [N], redo [N]", "review "):
        assert f"\n{usage}" in f"\n{out}"


def test_legal_moves_are_completed() -> None:
    table = table_of(Script())
    assert set(table.moves()) <= set(LETTER_OF)


@pytest.fixture
def decider() -> Iterator[Decider]:
    with Decider(Place()) as decider:
        yield decider


@pytest.mark.parametrize("plies", [1, 2])
def test_moves_are_valued_as_by_the_engine_best_first(plies: int, decider: Decider) -> None:
    game = ThreesGame(3)
    engine = Adviser(shipped_net())
    advisor = ThreesAdvisor(decider, Lookahead(plies, plies))
    found = advisor.values(game)
    assert found.plies == plies
    assert found.values == engine.values(game.cells, game.bag, game.next_ranks, plies)
    assert list(found.values.values()) == sorted(found.values.values(), reverse=True)
    assert advisor.choose(game) == next(iter(found.values))
    assert advisor.values(game, 3).plies == 3


def test_engine_looks_as_far_as_the_board_asks_for(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 3))
    lookaheads = set()
    for game in played(1)[:-1:30]:
        found = advisor.values(game)
        assert found.plies == dynamic_plies(game.cells, 1, 3)
        lookaheads.add(found.plies)
    assert len(lookaheads) > 1


@pytest.mark.slow
def test_time_makes_the_engine_look_deeper(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 1), 0.3)
    assert advisor.values(played(1)[90]).plies > 2
    assert advisor.values(played(1)[90], 1).plies == 1


def test_a_move_loses_what_it_is_worth_less_than_the_best(decider: Decider) -> None:
    game, advisor = ThreesGame(3), ThreesAdvisor(decider, Lookahead(1, 1))
    values = advisor.values(game, 2).values
    for direction in ThreesBoard(game.cells).moves():
        judged = advisor.judge(game, direction)
        assert judged.loss == max(values.values()) - values[direction]
        assert (judged.value, judged.best) == (values[direction], next(iter(values)))


def test_what_this_process_computes_is_nobodys_share(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 1))
    advisor.choose(ThreesGame(3))
    assert advisor.shares() == {}
