"""Complete legal move generation, and perft.

Knows the rules of checker play.  Must not know evaluation, cubes or notation.

The order of `generate_moves` is part of its contract.  Non-doubles: the larger die is played
first, from the highest source down, then the smaller from the highest source down; then the same
with the smaller die first.  Doubles: sources never increase, the highest first.  A position
stands where that order finds it first, with the move that found it.
"""

from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from engine_ext.backgammon.board cimport (
    SLOT_BAR, SLOT_COUNT, SLOT_OFF, Board, Position, board_result, board_swap,
    position_from_board)
from engine_ext.control cimport Control, RunControl, control_is_stopped, control_step

cdef extern from *:
    int _clz "__builtin_clz" (unsigned int) noexcept nogil

# One MoveList of some 190 KiB a level; depth 5 from the start is 10^13 positions already.
PERFT_DEPTH_MAX = 6

# Point sets are 26-bit masks in the mover's numbering: bit 25 = bar, bits 24..1 = points.
cdef enum:
    BAR_BIT = 1 << 25


# What a non-double has produced so far.  With x the source of the larger die and y that of the
# smaller, two plays give the same position only if they are equal as one of these: two checkers
# borne off (unordered), one checker moved on (by its source and which blot it hit on the way, if
# any), or the pair (x, y): everything else about the position follows from these.
ctypedef struct Seen:
    uint32_t pair[26]
    uint32_t off[26]
    uint32_t chain[3]


cdef inline int _highest(uint32_t mask) noexcept nogil:
    return 31 - _clz(mask)


cdef inline uint32_t _occupied(const Board *board) noexcept nogil:
    cdef uint32_t mask = 0
    cdef int slot
    for slot in range(1, SLOT_COUNT):
        mask |= <uint32_t>(board.side[0][slot] != 0) << slot
    return mask


cdef inline uint32_t _blocked(const Board *board) noexcept nogil:
    cdef uint32_t mask = 0
    cdef int point
    for point in range(1, SLOT_BAR):
        mask |= <uint32_t>(board.side[1][SLOT_BAR - point] > 1) << point
    return mask


cdef inline uint32_t _sources(uint32_t occupied, uint32_t blocked, int die) noexcept nogil:
    """Set of slots from which one checker may move `die` pips now."""
    cdef uint32_t sources
    if occupied & BAR_BIT:
        return 0 if blocked >> (SLOT_BAR - die) & 1 else BAR_BIT
    sources = occupied & ~(blocked << die) & <uint32_t>-1 << (die + 1)
    if occupied >> 7 == 0:                       # all are home: bear off
        if occupied >> die:
            sources |= occupied & <uint32_t>1 << die
        elif occupied:
            sources |= <uint32_t>1 << _highest(occupied)
    return sources


cdef inline int _step(Board *board, int source, int die) noexcept nogil:
    """Move one checker, hitting; return its target, 0 = off.  The step must be legal."""
    cdef int target = source - die
    board.side[0][source] -= 1
    if target <= 0:
        board.side[0][SLOT_OFF] += 1
        return SLOT_OFF
    board.side[0][target] += 1
    if board.side[1][SLOT_BAR - target]:
        board.side[1][SLOT_BAR - target] = 0
        board.side[1][SLOT_BAR] += 1
    return target


cdef inline uint32_t _stepped(const Board *after, uint32_t occupied, int source,
                              int target) noexcept nogil:
    """The occupied set after a step; the off slot is not part of it."""
    if after.side[0][source] == 0:
        occupied &= ~(<uint32_t>1 << source)
    return (occupied | <uint32_t>1 << target) & ~<uint32_t>1


cdef inline bint _is_new(uint32_t *mask, int bit) noexcept nogil:
    cdef uint32_t flag = <uint32_t>1 << bit
    if mask[0] & flag:
        return False
    mask[0] |= flag
    return True


cdef inline bint _is_new_play(Seen *seen, const Board *board, int source1, int target1,
                              int source2, int target2, bint is_smaller_first) noexcept nogil:
    """Note the play and tell whether its position has not been produced before."""
    cdef int way = 0
    if source2 == target1:
        if board.side[1][SLOT_BAR - target1]:
            way = 1 + is_smaller_first
        return _is_new(&seen.chain[way], source1)
    if target2 == source1:                       # the second checker takes the first one's place
        return _is_new(&seen.chain[0], source2)
    if target1 == SLOT_OFF and target2 <= SLOT_OFF:
        return _is_new(&seen.off[max(source1, source2)], min(source1, source2))
    if is_smaller_first:
        return _is_new(&seen.pair[source2], source1)
    return _is_new(&seen.pair[source1], source2)


cdef inline void _set_steps(Move *move, int count, const int *sources,
                            const int *targets) noexcept nogil:
    cdef int step
    move.count = <int8_t>count
    for step in range(count):
        move.source[step] = <int8_t>sources[step]
        move.target[step] = <int8_t>targets[step]


cdef void _two_steps(const Board *board, uint32_t occupied, uint32_t blocked, int die1, int die2,
                     bint is_smaller_first, bint chains_only, Seen *seen,
                     MoveList *list) noexcept nogil:
    """Append every new position of die1 played first and then die2."""
    cdef uint32_t firsts = _sources(occupied, blocked, die1)
    cdef uint32_t seconds
    cdef int sources[2]
    cdef int targets[2]
    cdef Board half
    while firsts:
        sources[0] = _highest(firsts)
        firsts ^= <uint32_t>1 << sources[0]
        half = board[0]
        targets[0] = _step(&half, sources[0], die1)
        seconds = _sources(_stepped(&half, occupied, sources[0], targets[0]), blocked, die2)
        if chains_only:
            seconds &= <uint32_t>1 << targets[0]
        while seconds:
            sources[1] = _highest(seconds)
            seconds ^= <uint32_t>1 << sources[1]
            if not _is_new_play(seen, board, sources[0], targets[0], sources[1],
                                sources[1] - die2, is_smaller_first):
                continue
            list.boards[list.count] = half
            targets[1] = _step(&list.boards[list.count], sources[1], die2)
            _set_steps(&list.moves[list.count], 2, sources, targets)
            list.count += 1


cdef void _one_step(const Board *board, uint32_t sources, int die, MoveList *list) noexcept nogil:
    cdef int source, target
    while sources:
        source = _highest(sources)
        sources ^= <uint32_t>1 << source
        list.boards[list.count] = board[0]
        target = _step(&list.boards[list.count], source, die)
        _set_steps(&list.moves[list.count], 1, &source, &target)
        list.count += 1


cdef inline bint _may_bear_off_second(const Board *board, uint32_t occupied) noexcept nogil:
    """True if all checkers but at most one are home: one step may allow bearing off."""
    cdef uint32_t outside = occupied >> 7
    if outside == 0:
        return True
    if outside & (outside - 1):
        return False
    return board.side[0][_highest(outside) + 7] == 1


cdef void _non_double(const Board *board, int larger, int smaller, MoveList *list) noexcept nogil:
    cdef Seen seen
    cdef uint32_t occupied = _occupied(board)
    cdef uint32_t blocked = _blocked(board)
    # Two different checkers move in either order unless the bar or bearing off forbids one; so
    # elsewhere the second order can only add plays of one checker, by its other way.
    cdef bint chains_only = not (occupied & BAR_BIT or _may_bear_off_second(board, occupied))
    memset(&seen, 0, sizeof(Seen))
    _two_steps(board, occupied, blocked, larger, smaller, False, False, &seen, list)
    _two_steps(board, occupied, blocked, smaller, larger, True, chains_only, &seen, list)
    if list.count == 0:                          # one die only: the larger if it can be played
        _one_step(board, _sources(occupied, blocked, larger), larger, list)
    if list.count == 0:
        _one_step(board, _sources(occupied, blocked, smaller), smaller, list)


ctypedef struct Walk:
    MoveList *list
    uint32_t blocked
    int die
    int longest           # most steps that any play has had so far
    int sources[4]
    int targets[4]


cdef inline void _add_leaf(Walk *walk, const Board *board, int steps) noexcept nogil:
    cdef MoveList *list = walk.list
    if steps > walk.longest:                     # shorter plays are not legal after all
        walk.longest = steps
        list.count = 0
    list.boards[list.count] = board[0]
    _set_steps(&list.moves[list.count], steps, walk.sources, walk.targets)
    list.count += 1


cdef void _walk_double(Walk *walk, const Board *board, uint32_t occupied, int steps,
                       uint32_t allowed) noexcept nogil:
    """Play the rest of a double from sources in `allowed`, which never increase.

    Different sets of sources give different positions, so that nothing comes twice; and any legal
    play is legal in this order, since a move from further back never hinders the others.
    """
    cdef uint32_t sources = _sources(occupied, walk.blocked, walk.die) & allowed
    cdef int source
    cdef Board after
    if steps == 4 or sources == 0:
        if steps >= walk.longest:
            _add_leaf(walk, board, steps)
        return
    while sources:
        source = _highest(sources)
        sources ^= <uint32_t>1 << source
        after = board[0]
        walk.sources[steps] = source
        walk.targets[steps] = _step(&after, source, walk.die)
        _walk_double(walk, &after, _stepped(&after, occupied, source, walk.targets[steps]),
                     steps + 1, (<uint32_t>2 << source) - 1)


cdef int generate_moves(const Board *board, int die1, int die2, MoveList *list) noexcept nogil:
    """List every distinct position that the dice allow, in the order the module states.

    One entry with count 0 and the unchanged board if there is no legal move.  Returns list.count.
    Dice are 1..6.  Errors: never fails.  GIL: nogil.  Owner: the caller owns the list.
    """
    cdef Walk walk
    list.count = 0
    if die1 != die2:
        _non_double(board, max(die1, die2), min(die1, die2), list)
    if list.count == 0:
        walk.list = list
        walk.blocked = _blocked(board)
        walk.die = die1
        walk.longest = 0
        if die1 == die2:
            _walk_double(&walk, board, _occupied(board), 0, <uint32_t>-1)
        else:
            _add_leaf(&walk, board, 0)
    return list.count


cdef class LegalMove:
    """One legal move: the steps of single checkers and the position after them.

    `steps` are (source, target) in playing order, the mover's numbering: 25 = bar, 0 = off.
    `after` is still seen by the mover.
    """

    cdef readonly tuple steps
    cdef readonly Position after

    def __init__(self, steps, after):
        self.steps = tuple([(int(source), int(target)) for source, target in steps])
        self.after = after

    def __eq__(self, other):
        if not isinstance(other, LegalMove):
            return NotImplemented
        return self.steps == other.steps and self.after == other.after

    def __hash__(self):
        return hash((self.steps, self.after))

    def __repr__(self):
        return f"LegalMove({self.steps!r}, {self.after!r})"

    def __reduce__(self):
        return LegalMove, (self.steps, self.after)


def legal_moves(Position position not None, dice):
    """List every legal move of the player on roll, one for each distinct position after it.

    The order is the module's.  Without a legal move: one entry with no steps.

    Args:
        position: the player on roll moves.
        dice: two numbers from 1 to 6, in any order.

    Raises:
        ValueError: the dice are not two numbers from 1 to 6.
    """
    cdef int die1, die2, index
    die1, die2 = _checked_dice(dice)
    cdef MoveList *list = _new_list(1)
    try:
        generate_moves(&position.board, die1, die2, list)
        return [_to_legal_move(list, index) for index in range(list.count)]
    finally:
        free(list)


cdef MoveList *_new_list(size_t count) except NULL:
    cdef MoveList *list = <MoveList *>malloc(count * sizeof(MoveList))
    if list is NULL:
        raise MemoryError
    return list


cdef LegalMove _to_legal_move(const MoveList *list, int index):
    cdef const Move *move = &list.moves[index]
    steps = [(move.source[step], move.target[step]) for step in range(move.count)]
    return LegalMove(steps, position_from_board(&list.boards[index]))


def _checked_dice(dice):
    values = [int(value) for value in dice]
    if len(values) != 2 or not all(1 <= value <= 6 for value in values):
        raise ValueError(f"dice are two numbers from 1 to 6, not {dice!r}")
    return values


cdef uint64_t _count_all(const Board *board, int depth, MoveList *lists,
                         Control *control) noexcept nogil:
    cdef uint64_t total = 0
    cdef int die1, die2
    if board_result(board) != 0:
        return 0
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            total += count_positions(board, die1, die2, depth, lists, control)
    return total


cdef uint64_t count_positions(const Board *board, int die1, int die2, int depth, MoveList *lists,
                              Control *control) noexcept nogil:
    """Count the distinct positions `depth` plies on, the first of them with these dice.

    Units: positions; control.steps advances by each one generated.  After a stop the number is
    that of the positions counted so far.  Owner: the caller owns lists[depth].
    Errors: never fails.  GIL: nogil.
    """
    cdef int count = generate_moves(board, die1, die2, lists)
    cdef uint64_t total = 0
    cdef int index
    control_step(control, count)
    if depth == 1:
        return count
    for index in range(count):
        if control_is_stopped(control):
            break
        board_swap(&lists.boards[index])
        total += _count_all(&lists.boards[index], depth - 1, lists + 1, control)
    return total


def perft(Position position not None, int depth, RunControl control=None):
    """Count positions `depth` plies on: over all 21 rolls, the distinct ones after each.

    A roll without a legal move counts its unchanged position; a finished game has nothing after
    it.  Releases the GIL.

    Args:
        position: the player on roll moves first.
        depth: 1 to PERFT_DEPTH_MAX plies.
        control: stops the count (it then returns the number so far) and counts the positions
            generated at all depths as its steps.

    Raises:
        ValueError: the depth is out of range.
    """
    return sum(perft_by_roll(position, depth, control).values())


def perft_by_roll(Position position not None, int depth, RunControl control=None):
    """Split `perft` by the first roll: {(larger die, smaller die): positions}."""
    cdef int die1, die2
    cdef uint64_t count
    if not 1 <= depth <= PERFT_DEPTH_MAX:
        raise ValueError(f"the depth of a perft is 1 to {PERFT_DEPTH_MAX}, not {depth}")
    if control is None:
        control = RunControl()
    counts = {}
    if position.result:
        return counts
    cdef MoveList *lists = _new_list(depth)
    try:
        for die1 in range(1, 7):
            for die2 in range(1, die1 + 1):
                with nogil:
                    count = count_positions(&position.board, die1, die2, depth, lists,
                                            &control.control)
                counts[die1, die2] = count
    finally:
        free(lists)
    return counts
