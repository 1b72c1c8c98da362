"""Look-ahead for Python: positions, cube answers and ranked moves, one question at a time.

Knows the workspace and how an answer reads.  Must not know how positions are searched (search.pyx).
"""

from libc.stdlib cimport calloc, free
from engine_ext.backgammon.board cimport Position
from engine_ext.backgammon.cube cimport Cube, cube_cubeless_equity
from engine_ext.backgammon.evaluate cimport shared_evaluator
from engine_ext.backgammon.match_bearoff cimport score_is_of
from engine_ext.backgammon.search cimport (
    CubeAnswer, Search, cube_answer_equity, invert_probs, search_cube, search_node, search_rank)
from engine_ext.backgammon.search_setup cimport search_at_score, search_begin, search_use
from engine_ext.control cimport RunControl

from engine_ext.backgammon.move_filters import MOVE_FILTERS

cdef enum:
    PROB_COUNT = 5


cdef class Searcher:
    """A workspace for look-ahead; one thread uses it at a time.

    Args:
        is_cached: Keep searched nodes, from question to question; the answers are the
            same bits either way.

    Its methods release the GIL and return None if the control was stopped.
    """

    def __cinit__(self, *, bint is_cached=True):
        self._evaluator = shared_evaluator()
        self.search = <Search *>calloc(1, sizeof(Search))
        if self.search == NULL:
            raise MemoryError
        search_use(self.search, self._evaluator)
        self.search.cache.is_off = not is_cached

    @property
    def evaluations(self):
        """Static evaluations so far."""
        return self.search.evaluations

    def __dealloc__(self):
        free(self.search)

    cdef int begin(self, Cube cube, RunControl control, int ply, bint is_cubeful) except -1:
        """Set the workspace to work at a cube's score.  Errors: MemoryError.  GIL: needs."""
        search_begin(self.search, control, ply, is_cubeful)
        if (self._bearoff is None or cube.state.match_length == 0
                or not score_is_of(&self.search.score, &cube.state)):
            self._bearoff = search_at_score(self.search, &cube.state)
        return 0

    def evaluate(self, Position position not None, Cube cube not None, int ply,
                 RunControl control not None, *, bint is_cubeful=True):
        """Evaluate a position for the player on roll, before a cube decision.

        Returns (probs, cubeless equity, cubeful equity): five cumulative probabilities,
        equities in units of the cube as it is (money) or normalised (match).  The
        cubeful equity assumes best cube action; without cube it is the cubeless one.

        Errors: ValueError for a ply out of range.
        """
        cdef CubeAnswer answer
        cdef double equity
        self.begin(cube, control, ply, is_cubeful)
        with nogil:
            if is_cubeful:
                search_cube(self.search, &position.board, &cube.state, ply, NULL, &answer)
            else:
                search_node(self.search, &position.board, &cube.state, 1, ply, NULL,
                            answer.probs, &equity)
        if self.search.is_stopped:
            return None
        cubeless = cube_cubeless_equity(&cube.state, answer.probs)
        cubeful = cube_answer_equity(&answer) if is_cubeful else cubeless
        return (tuple([answer.probs[i] for i in range(PROB_COUNT)]), cubeless, cubeful)

    def answer_cube(self, Position position not None, Cube cube not None, int ply,
                    RunControl control not None):
        """Return (may double, no double, double/take, double/pass) of the player on roll.

        Units: of the cube before doubling.  Errors: ValueError for a ply out of range.
        """
        cdef CubeAnswer answer
        self.begin(cube, control, ply, True)
        with nogil:
            search_cube(self.search, &position.board, &cube.state, ply, NULL, &answer)
        if self.search.is_stopped:
            return None
        return (bool(answer.may_double), answer.no_double, answer.double_take,
                answer.double_pass)

    def rank_moves(self, Position position not None, dice, Cube cube not None, int ply,
                   RunControl control not None, *, bint is_cubeful=True, move_filter="normal"):
        """Rank the legal moves of a roll, best first.

        Returns a list of (number, ply, equity, probs, cubeless equity): its place in `legal_moves`
        of the sorted dice, larger die first; the ply it was really evaluated at; the mover's
        equity by the measure asked for; the mover's five probabilities, and their equity.

        Errors: ValueError for dice, a ply or a filter that do not exist.
        """
        cdef int die1, die2, i, k, count
        cdef int number = MOVE_FILTERS.index(move_filter)
        cdef double[PROB_COUNT] probs
        die1, die2 = dice
        if not (1 <= die1 <= 6 and 1 <= die2 <= 6):
            raise ValueError(f"dice are two numbers 1 to 6, not {dice}")
        self.begin(cube, control, ply, is_cubeful)
        with nogil:
            count = search_rank(self.search, &position.board, die1, die2, &cube.state, ply, number)
        if self.search.is_stopped:
            return None
        ranked = []
        for i in range(count):
            candidate = &self.search.candidates[i]
            invert_probs(candidate.probs, probs)
            ranked.append((candidate.index, candidate.ply, candidate.equity,
                           tuple([probs[k] for k in range(PROB_COUNT)]), candidate.cubeless))
        return ranked
