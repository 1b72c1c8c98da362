# cython: language_level=3
"""Static (0-ply) evaluation: which table or net answers for a position.

Knows the position classes and what is impossible in each.  Must not know the cube,
look-ahead, or how nets and tables work inside.

Every number is bit-exact: nets are integer, the one-sided table's chances are exact
multiples of 2^-32, and `evaluate_boards` gives what `evaluate_board` gives.
"""

import hashlib

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from engine_ext.backgammon.bearoff cimport (
    Bearoff, bearoff_is_one_sided, bearoff_is_two_sided, bearoff_one_sided_probs,
    bearoff_two_sided_win, shared_bearoff,
)
from engine_ext.backgammon.board cimport Board, Position, board_is_race, board_result
from engine_ext.backgammon.net cimport Net, net_evaluate, net_evaluate_many

from engine_ext.backgammon.net import load_net

cdef enum:
    # Boards gathered on the stack for one call of a net: most positions have fewer
    # successors by all rolls together, and 512 of them are 50 KiB.
    BATCH_MAX = 512
    # Contact positions in a row that a net takes as they stand; below, gathering is cheaper.
    RUN_MIN = 16
    CHECKERS_ALL = 15


# ------------------------------------------------------------------ classes

cdef inline bint _is_any(const uint8_t *slots) noexcept nogil:
    # Whether there is a checker on eight slots.
    cdef uint64_t word
    memcpy(&word, slots, 8)
    return word != 0


cdef inline bint _is_outside(const uint8_t *slots) noexcept nogil:
    return _is_any(slots + 7) or _is_any(slots + 15) or _is_any(slots + 18)


cdef inline bint _is_plainly_contact(const Board *board) noexcept nogil:
    # A checker on the far points 18..24 or the bar and an opponent who is not home are in
    # contact, 18 + 7 being 25; neither has then borne all off.  That settles nearly all.
    cdef const uint8_t *mine = board.side[0]
    cdef const uint8_t *theirs = board.side[1]
    return ((_is_any(mine + 18) and _is_outside(theirs))
            or (_is_any(theirs + 18) and _is_outside(mine)))


cdef PositionClass classify(const Board *board) noexcept nogil:
    """Return the class of a position: the first in the enum's order that fits.

    Errors: noexcept.  GIL: none needed.
    """
    if _is_plainly_contact(board):
        return CLASS_CONTACT
    if board.side[0][0] == CHECKERS_ALL or board.side[1][0] == CHECKERS_ALL:
        return CLASS_OVER
    if bearoff_is_one_sided(board):
        return CLASS_BEAROFF_TWO if bearoff_is_two_sided(board) else CLASS_BEAROFF_ONE
    return CLASS_RACE if board_is_race(board) else CLASS_CONTACT


cdef void _result_probs(int result, double *probs) noexcept nogil:
    cdef int i
    for i in range(5):
        probs[i] = 0.0
    probs[0] = 1.0 if result > 0 else 0.0
    probs[1] = 1.0 if result > 1 else 0.0
    probs[2] = 1.0 if result > 2 else 0.0
    probs[3] = 1.0 if result < -1 else 0.0
    probs[4] = 1.0 if result < -2 else 0.0


cdef bint _is_exact(const EvalTables *tables, const Board *board, PositionClass position_class,
                    double *probs) noexcept nogil:
    # Write the probs if no net is needed; false otherwise.
    if position_class == CLASS_OVER:
        _result_probs(board_result(board), probs)
    elif position_class == CLASS_BEAROFF_TWO:
        _result_probs(0, probs)
        probs[0] = bearoff_two_sided_win(&tables.bearoff, board)
    elif position_class == CLASS_BEAROFF_ONE:
        bearoff_one_sided_probs(&tables.bearoff, board, probs)
    else:
        return False
    return True


# -------------------------------------------------------------------- sanity

cdef inline double _clamped(double value, double most) noexcept nogil:
    return 0.0 if value < 0.0 else most if value > most else value


cdef inline bint _is_backgammon_possible(const unsigned char *slots) noexcept nogil:
    # Of the side that would lose it, contact being over: has it a checker in the
    # winner's home board (its own points 19..24)?
    return (slots[19] | slots[20] | slots[21] | slots[22] | slots[23] | slots[24]) != 0


cdef void _make_sane(const Board *board, PositionClass position_class,
                     double *probs) noexcept nogil:
    # What the rules exclude (gnubg's manual, "sanity checks" of evaluations): no gammon
    # against a side that has borne off a checker; in a race no backgammon against a side
    # that has left the winner's home board; gammons are wins, backgammons gammons.
    cdef double win = _clamped(probs[0], 1.0)
    cdef int side, at
    probs[0] = win
    for side in range(2):                       # the side that would win the gammon
        at = 1 + 2 * side
        if board.side[1 - side][0] > 0:
            probs[at] = probs[at + 1] = 0.0
            continue
        probs[at] = _clamped(probs[at], win if side == 0 else 1.0 - win)
        if position_class == CLASS_RACE and not _is_backgammon_possible(board.side[1 - side]):
            probs[at + 1] = 0.0
        probs[at + 1] = _clamped(probs[at + 1], probs[at])


# ---------------------------------------------------------------- evaluation

cdef void evaluate_board(const EvalTables *tables, const Board *board,
                         double *probs) noexcept nogil:
    """Evaluate one position for the player on roll.

    Shapes: probs: double[5], cumulative.  Errors: noexcept.  GIL: none needed.
    """
    cdef PositionClass position_class = classify(board)
    if _is_exact(tables, board, position_class, probs):
        return
    net_evaluate(tables.race if position_class == CLASS_RACE else tables.contact, board, probs)
    _make_sane(board, position_class, probs)


cdef void _evaluate_class(const EvalTables *tables, const Board *near, const Board *boards,
                          const PositionClass *classes, PositionClass wanted, int count,
                          double *probs) noexcept nogil:
    # The boards of one net's class among count <= BATCH_MAX, in one call of the net.
    cdef Board gathered[BATCH_MAX]
    cdef double outputs[BATCH_MAX * 5]
    cdef int origin[BATCH_MAX]
    cdef int i, k, length = 0
    for i in range(count):
        if classes[i] == wanted:
            gathered[length] = boards[i]
            origin[length] = i
            length += 1
    if length == 0:
        return
    net_evaluate_many(tables.race if wanted == CLASS_RACE else tables.contact, near,
                      gathered, length, outputs)
    for i in range(length):
        for k in range(5):
            probs[origin[i] * 5 + k] = outputs[i * 5 + k]
        _make_sane(boards + origin[i], wanted, probs + origin[i] * 5)


cdef int _contact_run(const Board *boards, int count) noexcept nogil:
    # How many of the first boards are of the contact class.
    cdef int length = 0
    while length < count and classify(boards + length) == CLASS_CONTACT:
        length += 1
    return length


cdef void _evaluate_mixed(const EvalTables *tables, const Board *near, const Board *boards,
                          int count, double *probs) noexcept nogil:
    # Up to BATCH_MAX boards of any classes.
    cdef PositionClass classes[BATCH_MAX]
    cdef int i
    for i in range(count):
        classes[i] = classify(boards + i)
        _is_exact(tables, boards + i, classes[i], probs + i * 5)
    _evaluate_class(tables, near, boards, classes, CLASS_CONTACT, count, probs)
    _evaluate_class(tables, near, boards, classes, CLASS_RACE, count, probs)


cdef void evaluate_boards(const EvalTables *tables, const Board *near, const Board *boards,
                          int count, double *probs) noexcept nogil:
    """Evaluate positions that each differ in a few slots from `near`.

    `near` only saves time; it need not be of the boards' class, nor playable.
    Shapes: probs: double[count, 5], C-contiguous, cumulative, player on roll.
    Errors: noexcept.  GIL: none needed.  Bit-exact: as `evaluate_board` of each.
    """
    cdef int first = 0
    cdef int i, length
    while first < count:
        length = _contact_run(boards + first, count - first)
        if length == count - first or length >= RUN_MIN:
            net_evaluate_many(tables.contact, near, boards + first, length, probs + first * 5)
            for i in range(first, first + length):
                _make_sane(boards + i, CLASS_CONTACT, probs + i * 5)
        else:
            length = count - first if count - first < BATCH_MAX else BATCH_MAX
            _evaluate_mixed(tables, near, boards + first, length, probs + first * 5)
        first += length


# --------------------------------------------------------------- Python face

cdef class Evaluator:
    """Two nets and the bear-off tables, and one digest that names them all.

    Owner: keeps alive what `tables` points at.
    """

    def __cinit__(self, Net contact not None, Net race not None, Bearoff bearoff not None):
        """Combine loaded nets and tables.

        Errors: ValueError for a net without weights.  GIL: needed.
        """
        if contact.weights == NULL or race.weights == NULL:
            raise ValueError("an Evaluator needs loaded nets: use load_net")
        self.contact = contact
        self.race = race
        self.bearoff = bearoff
        self.tables.contact = contact.weights
        self.tables.race = race.weights
        self.tables.bearoff = bearoff.tables
        self.tables.score = NULL
        self.digest = hashlib.sha256(
            "\n".join((contact.digest, race.digest, bearoff.digest)).encode()).hexdigest()

    def evaluate(self, Position position not None):
        """Return the five cumulative chances of the player on roll.

        Order: win, win_gammon, win_backgammon, lose_gammon, lose_backgammon.
        Errors: TypeError.  GIL: needed.
        """
        cdef double probs[5]
        evaluate_board(&self.tables, &position.board, probs)
        return probs[0], probs[1], probs[2], probs[3], probs[4]

    def evaluate_many(self, positions):
        """Return `evaluate` of each of a sequence: the same bits, in less time.

        It is quickest for positions near the first.  Errors: TypeError.  GIL: needed.
        """
        cdef Board boards[BATCH_MAX]
        cdef double probs[BATCH_MAX * 5]
        cdef Position position
        cdef list answers = []
        cdef int first, i, length
        for first in range(0, len(positions), BATCH_MAX):
            length = 0
            for position in positions[first:first + BATCH_MAX]:
                if position is None:
                    raise TypeError("None is not a Position")
                boards[length] = position.board
                length += 1
            evaluate_boards(&self.tables, boards, boards, length, probs)
            for i in range(length):
                answers.append(tuple([probs[i * 5 + k] for k in range(5)]))
        return answers


cdef Evaluator _shared = None


cpdef Evaluator shared_evaluator():
    """Return the process's evaluator: the shipped nets and the shared tables.

    Errors: NetError if the shipped nets are damaged.  GIL: needed.  Owner: the module.
    """
    global _shared
    cdef Evaluator made
    if _shared is None:
        # Another thread may do the same meanwhile; the first to finish is kept.
        made = Evaluator(load_net("contact"), load_net("race"), shared_bearoff())
        if _shared is None:
            _shared = made
    return _shared


def evaluate_static(Position position not None):
    """Return `shared_evaluator().evaluate(position)`.

    Errors: TypeError.  GIL: needed.
    """
    return shared_evaluator().evaluate(position)


cdef dict _CLASS_NAMES = {
    CLASS_OVER: "over",
    CLASS_BEAROFF_TWO: "bearoff-two-sided",
    CLASS_BEAROFF_ONE: "bearoff-one-sided",
    CLASS_RACE: "race",
    CLASS_CONTACT: "contact",
}


def position_class(Position position not None):
    """Return the name of the position's class.

    Errors: TypeError.  GIL: needed.
    """
    return _CLASS_NAMES[classify(&position.board)]
