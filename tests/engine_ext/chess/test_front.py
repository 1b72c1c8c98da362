"""Chess offers searches, parts of them, and looks at positions."""

import pytest
from hypothesis import given

from engine_ext import services
from engine_ext.chess.front import FRONT
from engine_ext.chess.parts.part_words import FORM, PartQuestion
from engine_ext.chess.probes.probe_text import KIND as PROBE
from engine_ext.chess.whole_search import KIND
from engine_ext.front import SEARCH, WHOLE_SEARCH
from tests.engine_ext.chess.parts.questions import part_questions


@given(part_questions())
@pytest.mark.when_changed
def test_every_part_is_of_the_kind_that_the_front_declares(question: PartQuestion) -> None:
    text = question.to_text()
    assert services.question_kind(text) == ("chess", FRONT.kinds[text.split(" ")[0]])


def test_all_that_is_asked_has_a_service() -> None:
    services_of = {word: kind.service for word, kind in FRONT.kinds.items()}
    assert services_of == {PROBE: "looks", FORM.question_kind: SEARCH, KIND: WHOLE_SEARCH}
    assert FRONT.is_game
