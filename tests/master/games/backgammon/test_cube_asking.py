import pytest

from engine_ext.backgammon.play import decide_cube
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.games.backgammon.cube_asking import ASKED_PLY_MIN, decide_cube_over
from master.games.backgammon.typed import read_id
from tests.master.games.askers import Answering, Lying

MONEY = read_id("4HPwATDgc/ABMA")
BEARING_OFF = read_id("XGID=-BBBBBB------------bbbbbb-:0:0:1:00:2:3:0:7:10")
NOT_OURS = read_id("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:3:0:10")


@pytest.mark.parametrize("state", [MONEY, BEARING_OFF, NOT_OURS])
@pytest.mark.parametrize("ply", range(4))
async def test_answer_is_that_of_one_machine(state: object, ply: int) -> None:
    asker = Answering()
    found = await decide_cube_over(asker.ask, state, ply)  # type: ignore[arg-type]
    assert found == decide_cube(state, ply)  # type: ignore[arg-type]
    is_asked = ply >= ASKED_PLY_MIN and state is not NOT_OURS
    assert len(asker.asked) == is_asked
    assert asker.priorities == ({Priority.URGENT} if is_asked else set())


@pytest.mark.parametrize("answer", ["", "nonsense"])
async def test_answer_that_is_none_is_said(answer: str) -> None:
    with pytest.raises(MasterError, match="makes no sense"):
        await decide_cube_over(Lying(answer).ask, MONEY, 2)


async def test_ply_beyond_the_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="ply"):
        await decide_cube_over(Answering().ask, MONEY, 9)
