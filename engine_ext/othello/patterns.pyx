# built with: pattern_kernel.c
"""The learned evaluation: patterns looked up in tables, one for each stage of the game.

Knows weights and stages.  Must not know search, nor how weights are learned (training/).  Values
are in 1/100 disc for the side to move, integers, the same on every machine.
"""

from array import array
from functools import cache
from importlib.resources import files

from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from engine_ext.othello.board cimport OthelloBoard
from engine_ext.othello.evaluation cimport Evaluation, Parent

from engine_ext.othello.pattern_file import PatternFileError, weights_from_bytes
from engine_ext.othello.pattern_shapes import OFFSETS as _OFFSETS
from engine_ext.othello.pattern_shapes import PLACES as _PLACES
from engine_ext.othello.pattern_shapes import SHAPES as _SHAPES
from engine_ext.othello.pattern_shapes import WEIGHTS as _WEIGHTS

cdef extern from *:
    """
    typedef struct __attribute__((aligned(64))) AlignedLanes { uint16_t lane[48]; } AlignedLanes;
    """
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil
    ctypedef struct AlignedLanes:
        uint16_t lane[48]

STAGE_COUNT = STAGES
BIAS_COUNT = EMPTIES_MAX + 1
_SHIPPED = "patterns.weights"
_SHIPPED_FOR_GAMES = "games.weights"


def _set_kernel_patterns():
    cdef Parent parent
    cdef int squares[16]
    cdef int place, i
    assert sizeof(PatternsBefore) <= sizeof(parent.notes)
    for place in range(PATTERN_PLACES):
        for i, square in enumerate(_PLACES[place]):
            squares[i] = square
        known = mp_pattern_place(place, squares, <int>len(_PLACES[place]), _OFFSETS[place])
        assert known, f"the kernel has other weights at place {place}"


_set_kernel_patterns()
mp_pattern_use_quickest()    # before any thread evaluates


cdef int stage_of(int empties) noexcept nogil:
    """Give the stage of a game with so many empty squares.  Never fails.  GIL: nogil."""
    return min((EMPTIES_MAX - empties) // STAGE_EMPTIES, STAGES - 1)


cdef int pattern_value(const PatternWeights *weights, uint64_t player,
                       uint64_t opponent) noexcept nogil:
    """Evaluate for the side to move, in 1/100 disc.

    Errors: never fails.  GIL: nogil.  Source: weights fitted by training/.
    """
    # Boards set up by hand may have less than the start's four discs.
    cdef int empties = min(EMPTIES_MAX, 64 - _count(player | opponent))
    cdef int value = weights.bias[empties] + mp_pattern_sum(
        weights.stages[stage_of(empties)], player, opponent)
    return max(-VALUE_MAX, min(VALUE_MAX, value))


cdef int _evaluate(const void *weights, uint64_t player, uint64_t opponent) noexcept nogil:
    return pattern_value(<const PatternWeights *>weights, player, opponent)


cdef void _prepare(const void *weights, Parent *parent) noexcept nogil:
    cdef const PatternWeights *table = <const PatternWeights *>weights
    cdef PatternsBefore *before = <PatternsBefore *>parent.notes
    mp_pattern_prepare(parent.opponent, parent.player, before)
    _choose_stage(table, parent)


cdef void _prepare_after(const void *weights, const Parent *before, int square, uint64_t flips,
                         Parent *parent) noexcept nogil:
    mp_pattern_prepare_after(<const PatternsBefore *>before.notes, square, flips,
                             <PatternsBefore *>parent.notes)
    _choose_stage(<const PatternWeights *>weights, parent)


cdef inline void _choose_stage(const PatternWeights *table, Parent *parent) noexcept nogil:
    """Note the weights of the successors."""
    cdef PatternsBefore *before = <PatternsBefore *>parent.notes
    cdef int empties = min(EMPTIES_MAX, 63 - _count(parent.player | parent.opponent))
    before.weights = table.stages[stage_of(empties)]
    before.bias = table.bias[empties]


cdef int _evaluate_after(const void *weights, const Parent *parent, int square,
                         uint64_t flips) noexcept nogil:
    cdef const PatternsBefore *before = <const PatternsBefore *>parent.notes
    cdef int value = before.bias + mp_pattern_sum_after(before, square, flips)
    return max(-VALUE_MAX, min(VALUE_MAX, value))


def stage(empties):
    """Number the stage of a game, 0 to STAGE_COUNT - 1, by its empty squares, 0 to 60."""
    if not 0 <= empties <= EMPTIES_MAX:
        raise ValueError(f"a game has 0 to {EMPTIES_MAX} empty squares, not {empties}")
    return stage_of(empties)


KERNEL_NAMES = ("portable", "avx2", "avx512")
assert len(KERNEL_NAMES) == PATTERN_KERNELS


def use_kernel(name=None):
    """Use a kernel of KERNEL_NAMES from now on, in the whole process, or the quickest; for tests.

    Returns:
        Whether this processor can.
    """
    if name is None:
        return mp_pattern_use_quickest() >= 0
    return mp_pattern_use(KERNEL_NAMES.index(name))


def pattern_indices(OthelloBoard board not None):
    """Return the index of each place of `pattern_shapes.PLACES`."""
    cdef AlignedLanes lanes
    mp_pattern_indices(board.board.player, board.board.opponent, lanes.lane)
    return tuple([lanes.lane[place] for place in range(PATTERN_PLACES)])


def fill_indices(const uint64_t[:, ::1] boards not None, uint32_t[:, ::1] indices not None):
    """Write where the weights of many boards are, within a stage's row.

    Shapes: boards: uint64[n, 2], player and opponent; indices: uint32[n, 46].
    """
    cdef AlignedLanes lanes
    cdef uint32_t offsets[PATTERN_PLACES]
    cdef Py_ssize_t i
    cdef int place
    if boards.shape[1] != 2 or indices.shape[1] != PATTERN_PLACES:
        raise ValueError(f"boards are [n, 2] and indices [n, {PATTERN_PLACES}]")
    if boards.shape[0] != indices.shape[0]:
        raise ValueError("there are as many rows of indices as boards")
    for place in range(PATTERN_PLACES):
        offsets[place] = _OFFSETS[place]
    with nogil:
        for i in range(boards.shape[0]):
            mp_pattern_indices(boards[i, 0], boards[i, 1], lanes.lane)
            for place in range(PATTERN_PLACES):
                indices[i, place] = offsets[place] + lanes.lane[place]


cdef uint32_t _mirrored(uint32_t index, const int *mirror, int count) noexcept nogil:
    """The index that a shape's reflection has."""
    cdef int digits[16]
    cdef int i
    cdef uint32_t other = 0
    for i in range(count):
        digits[i] = index % 3
        index //= 3
    for i in range(count - 1, -1, -1):
        other = 3 * other + digits[mirror[i]]
    return other


@cache
def canonical_numbers():
    """Number the weights of a stage so that an index and its reflection have one weight.

    Returns:
        uint32 for each index of each shape; the weights of a file are in this order.
    """
    numbers = array("I", bytes(4 * _WEIGHTS))
    cdef uint32_t[::1] view = numbers
    cdef int mirror[16]
    cdef uint32_t index, other, offset = 0, number = 0
    cdef int i, count
    for shape in _SHAPES:
        count = <int>len(shape.places[0])
        for i in range(count):
            mirror[i] = shape.mirror[i] if shape.mirror is not None else i
        for index in range(shape.size):
            other = _mirrored(index, mirror, count)
            if other < index:
                view[offset + index] = view[offset + other]
            else:
                view[offset + index] = number
                number += 1
        offset += shape.size
    return numbers


cdef class PatternEvaluation(Evaluation):
    """Patterns and their weights.

    Args:
        content: a weight file's bytes (pattern_file.py).

    Raises:
        PatternFileError: it is no such file.
    """

    def __cinit__(self, content):
        self.digest, weights = weights_from_bytes(content)
        numbers = canonical_numbers()
        count = max(numbers) + 1
        if len(weights) != STAGES * count + BIAS_COUNT:
            raise PatternFileError(
                f"a weight file has {STAGES * count + BIAS_COUNT} weights, not {len(weights)}")
        self._fill(weights, numbers, count)
        self.evaluate = _evaluate
        self.prepare = _prepare
        self.prepare_after = _prepare_after
        self.evaluate_after = _evaluate_after
        self.weights = &self.table
        self.disc_value = 100

    cdef _fill(self, const int16_t[::1] weights, const uint32_t[::1] numbers, Py_ssize_t count):
        """Copy the weights of each stage to their places.  Errors: MemoryError.  Owner: self."""
        cdef Py_ssize_t stage_number, index
        cdef Py_ssize_t row = numbers.shape[0]
        self.memory = <int16_t *>calloc(
            STAGES * row + PATTERN_WEIGHTS_BEHIND, sizeof(int16_t))
        if self.memory is NULL:
            raise MemoryError
        for stage_number in range(STAGES):
            self.table.stages[stage_number] = self.memory + stage_number * row
            for index in range(row):
                self.table.stages[stage_number][index] = weights[
                    stage_number * count + numbers[index]]
        for index in range(EMPTIES_MAX + 1):
            self.table.bias[index] = weights[STAGES * count + index]

    def __dealloc__(self):
        free(self.memory)

    def value(self, OthelloBoard board not None):
        """Evaluate a position of 8 x 8 Othello for the side to move, in 1/100 disc.

        Raises:
            ValueError: the board is smaller, which the weights know nothing of.
        """
        if board.size != 8:
            raise ValueError(f"the patterns are of 8 x 8 boards, not {board.size} x {board.size}")
        return pattern_value(&self.table, board.board.player, board.board.opponent)


def load_patterns(path=None):
    """Load a weight file, or the shipped one of searches and solvers, which is loaded once.

    Raises:
        PatternFileError: the file cannot be read or is no weight file.
    """
    if path is None:
        return _shipped(_SHIPPED)
    try:
        with open(path, "rb") as stream:
            content = stream.read()
    except OSError as error:
        raise PatternFileError(f"{path}: {error.strerror}") from error
    return PatternEvaluation(content)


def load_game_patterns():
    """Load the shipped weights that choose moves of games, once.

    They judge boards of good play better than those of searches, which have to order the moves of
    any board, good or bad: what is won in games is lost in endgames solved by many.
    """
    return _shipped(_SHIPPED_FOR_GAMES)


@cache
def _shipped(name):
    return PatternEvaluation((files("engine_ext.othello") / "data" / name).read_bytes())
