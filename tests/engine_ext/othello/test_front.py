"""Othello offers searches, parts of them, and looks at moves."""

from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.front import SEARCH, WHOLE_SEARCH
from engine_ext.othello import engine
from engine_ext.othello.front import FRONT
from engine_ext.othello.parts import FORM, PartKind, part_text
from engine_ext.othello.probes import probe_text
from engine_ext.othello.whole_search import KIND
from tests.engine_ext.othello.positions import played


@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from([4, 6, 8]))
def test_every_part_is_of_the_kind_that_the_front_declares(
    seed: int, empties: int, size: int
) -> None:
    board = played(seed, empties, size)
    for meaning in PartKind:
        text = part_text(engine.engine_digest(), board, board.empties, (-64, 64), meaning)
        kind = FRONT.kinds[text.split(" ")[0]]
        assert services.question_kind(text) == ("othello", kind)


def test_all_that_is_asked_is_searched() -> None:
    services_of = {word: kind.service for word, kind in FRONT.kinds.items()}
    probes = {probe_text.KIND: "looks"}
    assert services_of == {FORM.question_kind: SEARCH, KIND: WHOLE_SEARCH} | probes
    assert FRONT.is_game
