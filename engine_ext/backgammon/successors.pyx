"""All successors of real positions, evaluated: for measuring speed, and for comparing bits.

Knows how a search lists moves and evaluates what follows.  Must not know a clock, nor
choose a move.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from engine_ext.backgammon.board cimport SLOT_COUNT, board_swap
from engine_ext.backgammon.evaluate cimport evaluate_boards
from engine_ext.backgammon.movegen cimport generate_moves
from engine_ext.backgammon.net cimport net_evaluate_many


cdef int _list_moves(const Start *start, MoveList *moves, Board *after) noexcept nogil:
    """Write what follows a roll, the opponent of the mover on roll; return how many."""
    cdef int i, count = generate_moves(&start.board, start.die1, start.die2, moves)
    for i in range(count):
        memcpy(after[i].side[0], moves.boards[i].side[1], SLOT_COUNT)
        memcpy(after[i].side[1], moves.boards[i].side[0], SLOT_COUNT)
    return count


cdef class Successors:
    """The successors of each position by its roll.

    Errors: ValueError if there is no position, or not one roll of two dice for each.
    """

    def __cinit__(self, Evaluator evaluator not None, positions, rolls):
        if not positions or len(positions) != len(rolls):
            raise ValueError("give at least one position, and a roll for each")
        if not all(1 <= die <= 6 for roll in rolls for die in roll):
            raise ValueError("dice are two numbers from 1 to 6")
        self._evaluator = evaluator
        self._start_count = <int>len(positions)
        self._starts = <Start *>malloc(self._start_count * sizeof(Start))
        self._moves = <MoveList *>malloc(sizeof(MoveList))
        if self._starts is NULL or self._moves is NULL:
            raise MemoryError
        for i, (position, (die1, die2)) in enumerate(zip(positions, rolls, strict=True)):
            self._set_start(&self._starts[i], position, die1, die2)
        self._after = <Board *>malloc(self.count * sizeof(Board))
        self._probs = <double *>malloc(self.count * 5 * sizeof(double))
        if self._after is NULL or self._probs is NULL:
            raise MemoryError
        self._list_all()

    def __dealloc__(self):
        free(self._starts)
        free(self._after)
        free(self._probs)
        free(self._moves)

    cdef int _set_start(self, Start *start, Position position, int die1, int die2) except -1:
        """List the moves of a roll behind those before it.  GIL: needs."""
        start.board = start.near = position.board
        board_swap(&start.near)
        start.die1, start.die2 = <uint8_t>die1, <uint8_t>die2
        start.first = self.count
        start.count = generate_moves(&start.board, die1, die2, self._moves)
        self.count += start.count
        return 0

    cdef void _list_all(self) noexcept nogil:
        """Write the boards after all moves, roll behind roll.  Never fails; nogil."""
        cdef int i
        for i in range(self._start_count):
            _list_moves(&self._starts[i], self._moves, self._after + self._starts[i].first)

    def run_kernel(self):
        """Evaluate every successor by the contact net, whatever its class.

        Returns: how many; `probs` holds the results.  GIL: released.
        """
        cdef const EvalTables *tables = &self._evaluator.tables
        cdef Start *start
        cdef int i
        with nogil:
            for i in range(self._start_count):
                start = &self._starts[i]
                net_evaluate_many(tables.contact, &start.near, self._after + start.first,
                                  start.count, self._probs + start.first * 5)
        return self.count

    def run_with_moves(self):
        """Generate the moves of every roll, and evaluate what follows each.

        Returns: how many; `probs` holds the results.  GIL: released.
        """
        cdef Start *start
        cdef Board *after
        cdef int i, count
        with nogil:
            for i in range(self._start_count):
                start = &self._starts[i]
                after = self._after + start.first
                count = _list_moves(start, self._moves, after)
                evaluate_boards(&self._evaluator.tables, &start.near, after, count,
                                self._probs + start.first * 5)
        return self.count

    def boards(self):
        """Return the successors, 52 slots each, the opponent of the mover on roll."""
        return (<char *>self._after)[:self.count * sizeof(Board)]

    def probs(self):
        """Return the last run's results: five doubles for each successor, as bytes."""
        return (<char *>self._probs)[:self.count * 5 * sizeof(double)]
