"""An analysis from pieces of rollouts is the analysis in one go, however the pieces are cut."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon import rollout_sums
from engine_ext.backgammon.analyse import analyse
from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.analysis_text import AnswerError
from engine_ext.backgammon.answer_validation import validate_answer
from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.levels import EXACT
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    RolloutSettings,
)
from engine_ext.backgammon.rolled_out import Sums
from engine_ext.backgammon.rollout_sums import (
    PIECE_TRIALS,
    SumsMissingError,
    SumsQuestion,
    analyse_from_sums,
    joined,
    piece_questions,
    sums_from_text,
    sums_to_text,
)
from engine_ext.backgammon.trials import VALUE_NAMES, engine_digest
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.positions import played_positions, random_roll

TRIALS = PIECE_TRIALS[0] + 7
ROLLOUT = RolloutSettings(TRIALS, seed=5, truncation_ply=2, candidates=2)
SHALLOW = AnalysisSettings(ply=0, cube_ply=0, luck_ply=0, rollout=ROLLOUT)

totals = st.lists(
    st.integers(-(2**70), 2**70), min_size=len(VALUE_NAMES), max_size=len(VALUE_NAMES)
)
sums = st.lists(st.builds(Sums, totals, st.integers(0, 2**140)), min_size=1, max_size=6)


def decisions(count: int) -> list[AnalyseQuestion]:
    """Return plays, with the cube question where there is one, and doubles."""
    rng = random.Random(11)
    asked = []
    for position in played_positions(11, count):
        state, dice = GameState(position, MatchState()), random_roll(rng)
        played = legal_moves(position, dice)[-1].steps
        kind = DecisionKind.MOVE
        asked.append(AnalyseQuestion(engine_digest(), state, kind, SHALLOW, dice, tuple(played)))
        asked.append(AnalyseQuestion(engine_digest(), state, DecisionKind.CUBE, SHALLOW))
    return asked


def in_pieces(
    question: AnalyseQuestion, known: ActionAnalysis | None, rng: random.Random
) -> tuple[object, int]:
    """Return the analysis from pieces that were answered in some order, and their number."""
    sums, count = dict[str, list[Sums]](), 0
    while True:
        try:
            return analyse_from_sums(question, known, sums, RunControl()), count
        except SumsMissingError as missing:
            texts = piece_questions(missing.context, missing.trials)
            assert texts is not None
            rng.shuffle(texts)
            answers = [services.answer(text, RunControl()) for text in texts]
            for text, answer in zip(texts, answers, strict=True):
                assert answer is not None
                validate_answer(text, answer)
            pieces = [sums_from_text(answer) for answer in answers if answer is not None]
            sums[missing.context.to_text()] = joined(pieces)
            count += len(pieces)


@pytest.mark.when_changed
def test_pieces_in_any_order_make_the_analysis_in_one_go() -> None:
    rng, counts = random.Random(3), []
    for question in decisions(4):
        found, count = in_pieces(question, None, rng)
        assert found == analyse(question, RunControl())
        counts.append(count)
    assert max(counts) == 4, "a play and its cube question, of two pieces each"
    assert min(counts) >= 2


def plays(count: int) -> list[AnalyseQuestion]:
    """Return plays alone, of contact, race and bear-off, with good and bad moves."""
    rng, asked = random.Random(7), []
    ends = [
        position_from_id(text) for text in ("GwAA4DYAAAAAAA", "HwAAwNgBAAAAAA", "DgAAsAMAAAAAAA")
    ]
    for position in [*played_positions(23, count)[::3], *ends]:
        state, dice = GameState(position, MatchState()), random_roll(rng)
        played = rng.choice(legal_moves(position, dice)).steps
        alone = replace(SHALLOW, ply=1, move_filter="tiny", cube_ply=None, luck_ply=None)
        kind = DecisionKind.MOVE
        asked.append(AnalyseQuestion(engine_digest(), state, kind, alone, dice, tuple(played)))
    return asked


@pytest.mark.when_changed
def test_known_ranking_is_not_repeated_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng, spared = random.Random(5), 0
    for question in plays(60):
        bare = replace(question, settings=replace(question.settings, rollout=None))
        known = analyse(bare, RunControl())
        whole = analyse(question, RunControl())
        assert known.checker is not None
        with monkeypatch.context() as patched:
            if all(move.level != EXACT for move in known.checker.moves):
                patched.setattr(rollout_sums, "analyse", None)
                spared += 1
            assert in_pieces(question, known, rng)[0] == whole
    assert spared >= 10


def test_pieces_have_every_trial_once() -> None:
    question = decisions(1)[1]
    with pytest.raises(SumsMissingError) as caught:
        analyse_from_sums(question, None, {}, RunControl())
    texts = piece_questions(caught.value.context, 200)
    assert texts is not None
    pieces = [SumsQuestion.from_text(text) for text in texts]
    trials = [trial for one in pieces for trial in range(one.first, one.first + one.trials)]
    assert trials == list(range(200))
    deeper = replace(caught.value.context, ply=2)
    assert len(piece_questions(deeper, 20) or ()) == 20


@given(sums)
def test_sums_come_back_from_their_text(these: list[Sums]) -> None:
    assert sums_from_text(sums_to_text(these)) == these


@pytest.mark.parametrize(
    "text", ["", "backgammon-trial-sums/1 1,2", "backgammon-trial-sums/1 1,2,3,4,5,6,7,+8",
             "backgammon-trial-sums/1 1,2,3,4,5,6,7,x", "sums/1 1,2,3,4,5,6,7,8"],
)  # fmt: skip
def test_a_text_of_other_form_is_no_answer(text: str) -> None:
    with pytest.raises(AnswerError):
        sums_from_text(text)


def question_of(trials: int = 3) -> SumsQuestion:
    with pytest.raises(SumsMissingError) as caught:
        analyse_from_sums(decisions(1)[1], None, {}, RunControl())
    return SumsQuestion(caught.value.context.to_text(), 0, trials)


def test_sums_that_no_trials_have_are_refused() -> None:
    question = question_of()
    text = question.to_text()
    answer = services.answer(text, RunControl())
    assert answer is not None
    good = sums_from_text(answer)
    beyond = [Sums([2**70, *good[0].totals[1:]], good[0].squares), good[1]]
    too_even = [Sums(good[0].totals, good[0].totals[-1] ** 2 // 3 - 1), good[1]]
    for bad in (good[:1], beyond, too_even):
        with pytest.raises(ValueError, match="sum"):
            validate_answer(text, sums_to_text(bad))


@pytest.mark.parametrize("change", ["first=-1", "first=65536", "trials=0", "trials=65537"])
def test_trials_beyond_a_rollouts_last_one_are_refused(change: str) -> None:
    key = change.partition("=")[0]
    words = question_of().to_text().split(" ")
    text = " ".join(change if word.startswith(f"{key}=") else word for word in words)
    with pytest.raises(ContextError, match=f"{key} is "):
        services.answer(text, RunControl())


def test_a_piece_for_another_engine_is_refused() -> None:
    text = question_of().to_text().replace(engine_digest(), "0" * 16)
    with pytest.raises(ContextError) as caught:
        services.answer(text, RunControl())
    assert caught.value.code == "engine-mismatch"


def test_a_stopped_piece_has_no_answer() -> None:
    control = RunControl()
    control.stop()
    assert services.answer(question_of().to_text(), control) is None
