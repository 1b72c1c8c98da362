"""Questions that an analyser can be asked, of positions that games reach."""

from hypothesis import strategies as st

from engine_ext.chess.exact.position import BEFORE, PASSED, GameBefore, Position
from engine_ext.chess.exact.search import DEEPEST
from engine_ext.chess.parts.part_words import PartQuestion
from tests.engine_ext.chess.positions import boards

ENGINE = "0123456789abcdef"

values = st.integers(-(10**9), 10**9)
befores = st.lists(st.integers(0, 2**128 - 1), max_size=5).map(GameBefore)


@st.composite
def part_questions(draw: st.DrawFn) -> PartQuestion:
    """Draw a question that makes sense."""
    board, flags = draw(boards), draw(st.integers(0, 15))
    if board.is_check:
        flags &= ~PASSED
    depth = draw(st.integers(1, DEEPEST))
    reduced = draw(st.integers(-1, depth - 1))
    alpha, beta = sorted(draw(st.lists(values, min_size=2, max_size=2, unique=True)))
    before = draw(befores) if flags & BEFORE else GameBefore()
    return PartQuestion(ENGINE, Position(board, flags, reduced), before, depth, alpha, beta)
