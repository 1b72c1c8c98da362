"""Words and numbers of a review are those that players use."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine_ext.backgammon.analysis import ActionAnalysis, CubeAnalysis
from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from engine_ext.backgammon.ranking import Probs
from engine_ext.backgammon.xgid import state_from_xgid, to_xgid
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.review.plain_text import review_text
from master.games.backgammon.review.turns import MatchReview, Turn
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
    scene,
    settings_words,
    tags_of,
    unit_of,
)
from master.games.skipped import SkippedGame
from tests.master.games.backgammon.review.reviews import played_review, review_of, reviews

PROBS = Probs(0.5, 0.1, 0.01, 0.2, 0.02)
OPENING = Play(0, (3, 1), ((8, 5), (6, 5)))
REPLY = Play(1, (6, 5), ((24, 18), (18, 13)))


def turn_of(action: Action, cube_value: int = 1, cube_owner: int = -1) -> Turn:
    state = GameState(START, MatchState(cube_value, cube_owner, player_on_roll=0))
    return Turn(1, 4, action, state, "8/5 6/5", None, None, (), None, ())


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (turn_of(OPENING), "3-1 8/5 6/5"),
        (replace(turn_of(Play(0, (3, 1), ())), text=None), "3-1 left unmoved"),
        (turn_of(Double(0)), "doubles to 2"),
        (turn_of(Double(0), 2, 0), "redoubles to 4"),
        (turn_of(Take(1)), "takes"),
        (turn_of(Beaver(1)), "beavers to 4"),
        (turn_of(Drop(1)), "passes"),
        (turn_of(Resign(1, 2)), "resigns a gammon"),
    ],
)
def test_every_action_has_words(turn: Turn, words: str) -> None:
    assert done(turn) == words
    assert place(turn) == "2.5"


def test_numbers_are_short_and_signed() -> None:
    assert equity(0.21649) == "+0.216"
    assert equity(-0.5, 0.00449) == "-0.500 +- 0.004"
    assert [loss(value) for value in (0.0, 0.0004, 0.0611)] == ["", "", "-0.061"]
    assert chances(PROBS) == "50.0 10.0 1.0 - 50.0 20.0 2.0"


def cube_of(action: Action, *, no_double: float, double_take: float, proper: str) -> Turn:
    """Return a turn of a game in which player 0 doubles after two plays."""
    analysis = CubeAnalysis("2-ply", no_double, double_take, 1.0, proper, 0.3, PROBS)
    actions: list[Action] = [OPENING, REPLY, Double(0)]
    actions += [] if isinstance(action, Double) else [action]
    result = Result(0, 1) if isinstance(action, Drop) else None
    match = Match(("Ann", "Bob"), 7, (Game((0, 0), tuple(actions), result),))
    known = (*[None] * (len(actions) - 1), ActionAnalysis(cube=analysis))
    return next(reversed(list(review_of(AnalysedMatch(match, (known,))).turns)))


@pytest.mark.parametrize(
    ("action", "numbers", "proper", "words"),
    [
        (Double(0), (0.3, 0.1), "no double",
         "Proper cube action: no double; double is wrong, -0.200, very bad."),
        (Double(0), (0.3, 0.4), "double, take", "Proper cube action: double, take."),
        (Take(1), (0.3, 1.2), "double, pass",
         "Proper answer: pass; take is wrong, -0.200, very bad."),
        (Drop(1), (0.3, 0.95), "double, take",
         "Proper answer: take; pass is wrong, -0.050, doubtful."),
        (Take(1), (0.3, 0.4), "double, take", "Proper answer: take."),
    ],
)  # fmt: skip
def test_cube_actions_are_judged_in_a_sentence(
    action: Action, numbers: tuple[float, float], proper: str, words: str
) -> None:
    turn = cube_of(action, no_double=numbers[0], double_take=numbers[1], proper=proper)
    assert cube_verdict(turn) == words


def test_cube_panel_has_each_action_against_the_best() -> None:
    cube = CubeAnalysis("rollout 36", 0.3, 0.4, 1.0, "double, take", 0.25, PROBS, 0.01)
    assert cube_rows(cube) == [
        ("no double", 0.3, pytest.approx(-0.1)),
        ("double, take", 0.4, 0.0),
        ("double, pass", 1.0, pytest.approx(0.6)),
    ]
    beavered = replace(cube, double_take=-0.2, double_beaver=-0.4)
    assert [name for name, *_ in cube_rows(beavered)][2] == "double, beaver"
    assert cube_basis(cube) == (
        "50.0 10.0 1.0 - 50.0 20.0 2.0; cubeless +0.250; rollout 36 +- 0.010"
    )


def test_errors_and_luck_have_a_size_and_a_mark() -> None:
    turns = list(played_review().turns)
    worst = max(turns, key=lambda turn: turn.error)
    assert error_words(worst).startswith(f"-{worst.error:.3f}, ")
    flawless = [turn for turn in turns if not turn.error]
    assert {error_words(turn) for turn in flawless} == {""}
    reported = [luck_words(turn) for turn in turns if turn.luck and turn.luck.luck > 0.6]
    assert all(words.endswith(", very lucky") for words in reported)
    assert luck_words(turn_of(Take(1))) == ""


def test_match_is_named_with_its_winner_or_its_score() -> None:
    review = played_review()
    winner = review.analysed.match.games[-1].result
    assert winner is not None
    assert match_words(review).startswith(f"3-point match, {review.names[winner.winner]} won 3-")
    money = AnalysedMatch(Match(("Ann", "Bob"), 0, (Game((2, 1)),)))
    assert match_words(review_of(money)) == "Money session, Ann 2, Bob 1"
    assert match_words(review_of(AnalysedMatch(Match(("A", "B"), 5)))) == "5-point match"
    assert unit_of(review_of(money)).name == "points"
    assert rules_words(review_of(money)) == "Jacoby rule, no beavers"
    assert rules_words(review) == "Crawford rule"
    without = replace(review.analysed, match=replace(review.analysed.match, uses_cube=False))
    assert rules_words(replace(review, analysed=without)) == "Crawford rule, no cube"
    assert result_words(Game((0, 0)), ("A", "B")) == "not finished"
    assert result_words(Game((0, 0), result=Result(1, 1)), ("A", "B")) == "B wins 1 point"


def test_settings_name_levels_equities_and_engine() -> None:
    played = played_review()
    review = MatchReview(played.analysed, played.figures, AnalysisSettings(2, 1), "0" * 16)
    assert settings_words(review) == (
        "2-ply, cube 1-ply, move filter normal, luck 0-ply, "
        "match equities Kazaross-XG2, engine 0000000000000000"
    )
    rolled = AnalysisSettings(0, 0, luck_ply=None, rollout=RolloutSettings(36, 7))
    assert settings_words(replace(review, settings=rolled)).startswith(
        "0-ply, rolled out 36 times, move filter normal, seed 7, "
    )
    assert settings_words(review_of(played.analysed)) == "analysis of the file"


def test_tags_are_written_in_one_order() -> None:
    played = played_review().analysed
    tags = {"b": "2", "date": "2026-11-27", "a": "1", "event": "Open", "round": ""}
    review = review_of(replace(played, match=replace(played.match, tags=tags)))
    assert tags_of(review) == [("event", "Open"), ("date", "2026-11-27"), ("a", "1"), ("b", "2")]


NAMES = ("Ann", "Bob")


def test_the_player_on_roll_sits_at_the_bottom_with_his_own_colour() -> None:
    for turn in played_review(3, 7).turns:
        drawn, seen = drawing(turn, NAMES), scene(turn, NAMES)
        assert seen.position == turn.state.position
        assert seen.names[0] == NAMES[bottom(turn)]
        assert drawn.is_bottom_dark == (bottom(turn) == 1)
        assert seen.dice == turn.dice
        assert drawn.is_double_offered == turn.state.match.is_double_offered
        if turn.dice is not None:
            assert bottom(turn) == turn.player


def test_a_better_move_has_arrows_only_where_there_is_one() -> None:
    for turn in played_review().turns:
        drawn = drawing(turn, NAMES)
        if turn.checker is None:
            assert (drawn.played, drawn.better) == ("", "")
            continue
        assert drawn.played == turn.text
        best = turn.checker.moves[0].text
        assert drawn.better == (best if turn.checker.error > 0.0 else "")


def test_ids_ask_what_was_decided() -> None:
    for turn in played_review(3, 7).turns:
        asked = asked_state(turn)
        assert asked.match.dice == turn.dice
        assert asked_state(turn, is_rolled=False).match.dice is None
        assert asked.position == state_from_xgid(to_xgid(asked)).position


REVIEW = played_review(3, 7)
LINES = review_text(REVIEW, ["PR  1.00"]).splitlines()


@pytest.mark.slow
@settings(max_examples=10)
@given(reviews)
def test_any_match_has_its_text(review: MatchReview) -> None:
    text = review_text(review)
    assert text.endswith("\n")
    assert all(each.isprintable() or each in "\n\t" for each in text)
    boards = text.count("|BAR|")
    assert boards >= len({(each.game, each.action) for each in review.figures.decisions})


def test_each_decision_has_its_ids() -> None:
    asked = [asked_state(turn) for turn in REVIEW.turns if turn.decisions]
    for prefix in ("XGID=", "GNUBG ID: "):
        found = [line.removeprefix("GNUBG ID: ") for line in LINES if line.startswith(prefix)]
        assert [parse_id(text).position for text in found] == [state.position for state in asked]
        assert [parse_id(text).match.dice for text in found] == [s.match.dice for s in asked]


def test_the_played_move_has_a_star() -> None:
    starred = [line for line in LINES if line.startswith("* ")]
    played = [turn for turn in REVIEW.turns if turn.move_decision is not None]
    assert len(starred) == len(played)
    for line, turn in zip(starred, played, strict=True):
        assert f"  {turn.text}" in line


def test_lines_fit_a_mail_but_for_the_heads() -> None:
    long = [line for line in LINES if len(line) > 80]
    assert [line for line in long if not re.search("^Analysis: |Crawford", line)] == []
    assert all(line.isascii() for line in LINES)


def test_figures_stand_at_the_end() -> None:
    assert LINES[-1] == "PR  1.00"
    assert review_text(REVIEW) == review_text(replace(REVIEW, settings=REVIEW.settings))


def test_comments_and_warnings_are_reported() -> None:
    match = REVIEW.analysed.match
    first = replace(match.games[0], comments=((0, "good\nmove\x1b[31m"),))
    known = replace(REVIEW.analysed, match=replace(match, games=(first, *match.games[1:]),
                    tags={"event": "Open"}), warnings=("odd",),
                    skipped=(SkippedGame(9, "illegal", 70),))  # fmt: skip
    text = review_text(MatchReview(known, match_figures(known)))
    assert "\n| good\n| move?[31m\n" in text
    assert "\nEvent: Open\nWarning: odd\nWarning: game 9: illegal; skipped\n" in text
    assert "\nAnalysis: analysis of the file\n" in text
