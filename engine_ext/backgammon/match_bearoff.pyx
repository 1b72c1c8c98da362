# cython: language_level=3
"""Exact cubeful equities of two-sided bear-offs at a match score.

Knows cubes, scores and the pairs of boards of the two-sided table.  Must not know how likely a
position is, nets, formulas for the value of a cube, or look-ahead.

**Method**: backward induction, with no heuristic.  A roll is worth its best play, a position the
mean over the 21 rolls, before which the player on roll doubles if that is better, and the opponent
takes if that is better for him.  The leaves are the match equities after this game.  No game here
is a gammon: both sides have borne checkers off.

**States** are (side on roll, his board, the other's board, cube value, owner).  At a score few
cubes are of use: one plane of values for each that either side may turn, 5 at 7-away 7-away and
11 at 64-away 64-away.  A dead cube needs none: the money table's cubeless equity is its value.

**When**: a state is solved when it is first asked for, with all that can follow it, and a whole
plane at once when many were.  A value is a pure function of its state, so that threads need no
lock: a cell is one word, 0 until it is solved, and who solves it twice stores the same bits.  Pages
that nobody asked for take no memory.

**Same bits**: equities are whole multiples of 2^-29 and their sums are of integers.  Only the
value of a take at the next cube is floating point, one * and one +, rounded at once.  The money
table's dead cubes are floats, within 2^-24; that is the error of all there is here.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from engine_ext.backgammon.bearoff cimport Bearoff, bearoff_is_two_sided, shared_bearoff
from engine_ext.backgammon.bearoff_generate cimport DICE_ROLLS, TWO_SIDED_COUNT, home_index
from engine_ext.backgammon.bearoff_planes cimport (
    LEVEL_COUNT, MIRROR, ONE, OWNER_COUNT, PLANE_CELLS, RELAXED,
    BearoffPlanes, Plays, cell_add, cell_load, cell_of, cell_of_double, cell_of_rolls, cell_store,
    equity_of, planes_are_live, planes_fill, planes_may_use, roll_weight, shared_plays,
)
from engine_ext.backgammon.board cimport Position, board_result
from engine_ext.backgammon.cube cimport Cube, cube_outcome_equity, cube_swapped
from engine_ext.backgammon.janowski cimport (
    OWNER_CENTRED, OWNER_ON_ROLL, CubeState, may_use_cube, mwc_after,
)

cdef extern from *:
    int _ctz "__builtin_ctz" (unsigned int) noexcept nogil

# From so many cells of a plane on, 8 % of it, all the others are solved at once, which takes a
# quarter of the time a cell: a rollout asks for nearly all, an analysis of moves for few.
cdef enum:
    FILL_FROM = 131072

# Above what floats and roundings make of a dead cube's equity.
cdef double _DEAD_ERROR_MAX = 1e-6

BYTES_KEPT_MAX = 128 * 2**20
"""Planes kept for scores that nobody asks about now.  A score takes 7 MB a plane, 34 MB at 7-away
7-away once a rollout has filled it all: room for the few games that are worked on at a time."""


# ---------------------------------------------------------------- induction

cdef uint32_t _no_double(const BearoffPlanes *planes, int level, int owner, int side,
                         int us, int them) noexcept nogil:
    """The cell of `side`, who rolls now: the mean over the rolls, each played best."""
    cdef const uint16_t *boards = planes.plays.by_roll.index
    cdef const uint32_t *start = planes.plays.by_roll.start + us * DICE_ROLLS
    cdef const uint32_t *row
    cdef uint32_t cell, lowest, i
    cdef uint64_t total = 0
    cdef int roll
    if not planes_are_live(planes, level, owner):
        return cell_of(planes.two_sided[(us * TWO_SIDED_COUNT + them) * 4])
    row = planes.cells[level][owner] + ((1 - side) * TWO_SIDED_COUNT + them) * TWO_SIDED_COUNT
    for roll in range(DICE_ROLLS):
        lowest = MIRROR
        for i in range(start[roll], start[roll + 1]):
            cell = cell_load(row + boards[i], RELAXED)
            if cell == 0:
                cell = _solved(planes, level, owner, 1 - side, them, boards[i])
            lowest = cell if cell < lowest else lowest
        total += roll_weight(roll) * <uint64_t>lowest
    return cell_of_rolls(total)


cdef uint32_t _solved(const BearoffPlanes *planes, int level, int owner, int side,
                      int us, int them) noexcept nogil:
    """The cell of `side`, on roll, with the best cube action; solved now if it is not yet.

    At most some 24 half-moves and 6 cubes deep.  `them` is 0 where the opponent has finished.
    """
    cdef uint32_t *place
    cdef uint32_t cell, doubled
    if not planes_are_live(planes, level, owner):
        return _no_double(planes, level, owner, side, us, them)
    place = (planes.cells[level][owner]
             + (side * TWO_SIDED_COUNT + us) * TWO_SIDED_COUNT + them)
    cell = cell_load(place, RELAXED)
    if cell != 0:
        return cell
    cell = 1
    if them > 0:
        cell = _no_double(planes, level, owner, side, us, them)
        if (planes_may_use(planes, level, owner, side)
                and _may_gain(planes, level, side, us, them, cell)):
            doubled = cell_of_double(planes, level, side,
                                     _solved(planes, level + 1, 2 - side, side, us, them))
            cell = doubled if doubled > cell else cell
    cell_store(place, cell, RELAXED)
    if cell_add(&planes.solved_counts[level * OWNER_COUNT + owner], 1, RELAXED) == FILL_FROM:
        planes_fill(planes, level, owner)
    return cell


cdef inline bint _may_gain(const BearoffPlanes *planes, int level, int side, int us, int them,
                           uint32_t no_double) noexcept nogil:
    """Whether a double may be better; if not, the turned cube need not be solved.

    The taker owns the new cube and can leave it alone, so that it is worth no more to the doubler
    than a dead one: an inequality, and no estimate.
    """
    cdef double dead = planes.two_sided[(us * TWO_SIDED_COUNT + them) * 4]
    cdef double most = (planes.taken_middle[level][side]
                        + planes.taken_half[level][side] * (dead + _DEAD_ERROR_MAX))
    return most > equity_of(no_double) and no_double < 2 * ONE + 1


# ------------------------------------------------------------ one position

cdef inline int _side_of(const ScoreBearoff *score, const CubeState *cube) noexcept nogil:
    """The planes' side of the player on roll."""
    if (cube.met == score.root.met and cube.away[0] == score.root.away[0]
            and cube.away[1] == score.root.away[1]):
        return score.side
    return 1 - score.side


cdef inline int _owner_of(const CubeState *cube, int side) noexcept nogil:
    """The planes' owner of a cube that `side`, on roll, sees."""
    if cube.cube_owner == OWNER_CENTRED:
        return 0
    return 1 + side if cube.cube_owner == OWNER_ON_ROLL else 2 - side


cdef double match_bearoff_no_double(const ScoreBearoff *score, const Board *board,
                                    const CubeState *cube) noexcept nogil:
    """Return the equity of the player on roll, who does not double now.

    Args: score is that of the cube, filled by bearoff_at_score for a cube that this one follows.
    Errors: noexcept.  GIL: none needed.
    """
    cdef int side = _side_of(score, cube)
    return equity_of(_no_double(
        score.planes, _ctz(<unsigned int>cube.cube_value), _owner_of(cube, side), side,
        home_index(board.side[0]), home_index(board.side[1])))


cdef double match_bearoff_optimal(const ScoreBearoff *score, const Board *board,
                                  const CubeState *cube) noexcept nogil:
    """Return the equity of the player on roll, who uses the cube as is best now.

    Args, Errors, GIL: as match_bearoff_no_double.
    """
    cdef int side = _side_of(score, cube)
    return equity_of(_solved(
        score.planes, _ctz(<unsigned int>cube.cube_value), _owner_of(cube, side), side,
        home_index(board.side[0]), home_index(board.side[1])))


# ----------------------------------------------------------------- memory

cdef class MatchBearoff:
    """The planes of one score.

    Args:
        terms: `_terms` of a cube at that score, side 0 on roll.

    Owner: of the planes; keeps the tables that they need alive.
    """

    def __cinit__(self, tuple terms not None):
        cdef int level, side
        self._plays = shared_plays()
        self._bearoff = shared_bearoff()
        self.planes.plays = &(<Plays>self._plays).lists
        self.planes.solved_counts = self.solved_counts
        self.planes.two_sided = (<Bearoff>self._bearoff).tables.two_sided
        for level in range(LEVEL_COUNT):
            for side in range(2):
                is_useful, middle, half = terms[2 * level + side]
                self.planes.is_useful[level][side] = is_useful
                self.planes.taken_middle[level][side] = middle
                self.planes.taken_half[level][side] = half

    def __dealloc__(self):
        cdef int level, owner
        for level in range(LEVEL_COUNT):
            for owner in range(OWNER_COUNT):
                free(self.planes.cells[level][owner])

    cdef int _make_planes(self, int level, int owner) except -1:
        """Make the planes of a cube, and of those that it can become.  MemoryError.  GIL: needs."""
        cdef int side
        if level >= LEVEL_COUNT or self.planes.cells[level][owner] != NULL:
            return 0
        for side in range(2):
            if planes_may_use(&self.planes, level, owner, side):
                self._make_planes(level + 1, 2 - side)
                if self.planes.cells[level][owner] == NULL:
                    self.planes.cells[level][owner] = <uint32_t *>calloc(
                        PLANE_CELLS, sizeof(uint32_t))
                    if self.planes.cells[level][owner] == NULL:
                        raise MemoryError("no memory to solve bear-offs at this score")
                    self.byte_count += PLANE_CELLS * sizeof(uint32_t)
        return 0


# ------------------------------------------------------- scores in use

# MatchBearoff by its terms, the one asked for last at the end; the GIL guards it.
cdef dict _kept = {}


cdef tuple _terms(const CubeState *cube):
    """What a score means to bear-offs, of each cube value and side.

    Returns:
        (whether the cube is of use to the side, middle, half) for each level, first of the player
        on roll, then of the opponent: see BearoffPlanes.  Equal terms have equal planes.
    """
    cdef CubeState sides[2]
    cdef CubeState seen
    cdef double win, lose
    cdef int level, side, value
    cdef list terms = []
    sides[0] = cube[0]
    sides[1] = cube_swapped(cube)
    for level in range(LEVEL_COUNT):
        for side in range(2):
            seen = sides[side]
            value = 1 << level
            seen.cube_value = value
            seen.cube_owner = OWNER_CENTRED
            # A table may give the game no worth at this cube; then nothing is decided by it.
            if (not may_use_cube(&seen, 0)
                    or mwc_after(&seen, 0, value) <= mwc_after(&seen, 0, -value)):
                terms.append((False, 0.0, 0.0))
                continue
            win, lose = cube_outcome_equity(&seen, 2), cube_outcome_equity(&seen, -2)
            terms.append((True, 0.5 * (win + lose), 0.5 * (win - lose)))
    return tuple(terms)


cdef tuple _mirrored(tuple terms):
    """The same score's terms, the other side first."""
    return tuple([terms[i ^ 1] for i in range(2 * LEVEL_COUNT)])


cdef MatchBearoff bearoff_at_score(const CubeState *cube, ScoreBearoff *score):
    """Return the planes of a match score, and how the player on roll sees them in `score`.

    Planes of both sides' views of a score are the same ones.  Errors: MemoryError.  GIL: needs.
    """
    cdef tuple terms = _terms(cube)
    cdef tuple other = _mirrored(terms)
    cdef MatchBearoff found
    score.side = 1 if other < terms else 0
    terms = other if score.side else terms
    found = _kept.pop(terms, None) or MatchBearoff(terms)
    _kept[terms] = found
    found._make_planes(_ctz(<unsigned int>cube.cube_value), _owner_of(cube, score.side))
    _forget_oldest()
    score.planes = &found.planes
    score.root = cube[0]
    score.serial = cube.met.serial
    return found


cdef int _forget_oldest() except -1:
    """Let go of the scores asked for longest ago, but for the last; users keep theirs."""
    while len(_kept) > 1 and kept_bytes() > BYTES_KEPT_MAX:
        del _kept[next(iter(_kept))]
    return 0


# ------------------------------------------------------------ Python face

def kept_bytes():
    """Return the bytes of the planes kept for later; pages never asked for take no memory."""
    return sum([(<MatchBearoff>one).byte_count for one in _kept.values()])


def match_equities(Position position not None, Cube cube not None):
    """Return the exact equities (no double now, best cube action) of the player on roll.

    Units: normalised to the cube as it is.  Errors: ValueError for money play, or unless both
    sides have one to six checkers left, all home.  GIL: needs it.
    """
    cdef ScoreBearoff score
    cdef MatchBearoff _planes_kept
    if cube.state.match_length == 0:
        raise ValueError("money play: see Bearoff.money_equities")
    if not bearoff_is_two_sided(&position.board) or board_result(&position.board) != 0:
        raise ValueError("not in the two-sided table: none, or more than six checkers, or not home")
    _planes_kept = bearoff_at_score(&cube.state, &score)
    return (match_bearoff_no_double(&score, &position.board, &cube.state),
            match_bearoff_optimal(&score, &position.board, &cube.state))
