"""A board's fleet answers as one thread does, and gives up what is cancelled."""

from concurrent.futures import CancelledError

import pytest

from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import ExactQuestion, answer_at_once
from engine_ext.search.table import KeyedTable
from master.cli.chess.uci_fleet import uci_fleet
from master.cli.place import Place
from master.contract.search_views import SearchView

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

WAIT_S_MAX = 30

DEPTH = 14
"""A search of a second or more: it is looked at several times meanwhile."""


def question(depth: int) -> ExactQuestion:
    board = read_fen(START)
    return ExactQuestion(board, GameBefore.of_game([board]), depth)


@pytest.mark.when_changed
def test_answers_are_those_of_one_thread_and_what_is_cancelled_ends() -> None:
    views: list[SearchView] = []
    with uci_fleet(Place(local=1), is_trusting=False) as fleet:
        given_up = fleet.ask(question(40), views.append)
        given_up.cancel()
        with pytest.raises(CancelledError):
            given_up.result(WAIT_S_MAX)
        found = fleet.ask(question(DEPTH), views.append).result(WAIT_S_MAX)
    expected = answer_at_once(question(DEPTH), KeyedTable(1 << 22))
    assert (found.value, found.line[0]) == (expected.value, expected.line[0])
    assert views
