"""A search of a position to a depth, in steps: the value, and what is proved of each move.

Knows the search's memory, iterations and its face for Python.  Must not know how values are found
(value.pyx), nor what they are used for.

Values are in centipawns for the side to move; a mate with n plies of depth left is MATE_VALUE + n.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset
from engine_ext.control cimport RunControl
from engine_ext.chess.exact.leaf cimport probe_value
from engine_ext.chess.exact.listing cimport NOT_REDUCED, OPTION_DEPTH, Listed
from engine_ext.chess.exact.node cimport (
    DEPTH_MAX, MATE, NODE_BEFORE, NOTHING, VALUE_MAX, ExactNode, node_key, node_play)
from engine_ext.chess.exact.position cimport GameBefore, Position, list_both
from engine_ext.chess.exact.value cimport exact_value, listed_value
from engine_ext.search.stepped cimport (
    RootMove, SteppedSearch, root_move_answers, root_move_narrow, stepped_forget)
from engine_ext.search.table cimport (
    KeyedTable, TableEntry, table_move, table_probe, table_store)

MATE_VALUE = MATE
LARGEST_VALUE = VALUE_MAX
DEEPEST = DEPTH_MAX
SPLIT_DEPTH = OPTION_DEPTH + 1

cdef enum:
    ESTIMATE_PLIES = 5        # searches of less depth say little
    POLL_NODES = 128          # some 100 us: parts are stopped at any time, and last few thousand
    BEYOND = 40               # a bound that was enough is so far from the value, about

# A quarter of a million entries.
TABLE_BYTES = 1 << 23


cdef int _root_move(RootSearch *root, RootMove *move, int alpha, int beta) noexcept nogil:
    """Search one move under (alpha, beta) unless what is proved decides; keep what it proves."""
    cdef uint64_t started = root.search.nodes
    cdef int value
    if root_move_answers(move, alpha, beta, &value):
        return value
    value = listed_value(&root.search, &root.root, &root.listed[move.move], alpha, beta)
    root_move_narrow(move, value, alpha, beta)
    move.work += root.search.nodes - started
    return value


cdef int _root_value(RootSearch *root) noexcept nogil:
    """The best of the moves under the window, fail-soft."""
    cdef RootMove *moves = root.search.stepped.root_moves
    cdef int i, value, floor, best = NOTHING
    for i in range(root.search.stepped.root_count):
        floor = max(root.alpha, best)
        if i == 0 or root.beta == floor + 1:
            value = _root_move(root, &moves[i], floor, root.beta)
        else:
            value = _root_move(root, &moves[i], floor, floor + 1)
            if floor < value < root.beta:
                value = _root_move(root, &moves[i], value - 1, root.beta)
        best = max(best, value)
        if best >= root.beta:
            break
    return best


cdef int _first_best(RootSearch *root, int value) noexcept nogil:
    """The first move that is worth `value`, or at least beta; if nothing is better than alpha that
    of the highest bound."""
    cdef RootMove *moves = root.search.stepped.root_moves
    cdef int i, best = 0, floor = min(value, root.beta) - 1
    for i in range(1, root.search.stepped.root_count):
        if moves[i].upper > moves[best].upper:
            best = i
    if value <= root.alpha:
        return moves[best].move
    best = ROOT_MOVES_MAX
    for i in range(root.search.stepped.root_count):
        if moves[i].move < best and _root_move(root, &moves[i], floor, floor + 1) > floor:
            best = moves[i].move
    return best


cdef void _order_root(RootSearch *root) noexcept nogil:
    """Bring the move that the table knows to the front."""
    cdef RootMove *moves = root.search.stepped.root_moves
    cdef RootMove move
    cdef uint64_t first, second
    cdef int i, at, known
    node_key(&root.root, root.depth, root.search.before, &first, &second)
    known = table_move(root.search.table, first, second)
    for i in range(root.search.stepped.root_count):
        if root.listed[moves[i].move].move == known:
            move = moves[i]
            for at in range(i, 0, -1):
                moves[at] = moves[at - 1]
            moves[0] = move
            return


cdef void _last_iteration(RootSearch *root) noexcept nogil:
    cdef uint64_t started = root.search.nodes
    cdef uint64_t first, second
    if root.search.stepped.root_count == 0:
        root.value = exact_value(&root.search, &root.root, root.depth, root.alpha, root.beta)
        if root.reduced != NOT_REDUCED and root.value < root.beta:
            root.value = max(root.value, exact_value(
                &root.search, &root.root, root.reduced, root.alpha, root.beta))
        return
    root.search.nodes += 1
    _order_root(root)
    root.value = _root_value(root)
    root.search.stepped.best_move = _first_best(root, root.value)
    if root.reduced != NOT_REDUCED:
        return
    node_key(&root.root, root.depth, root.search.before, &first, &second)
    table_store(root.search.table, first, second, root.depth,
                root.value if root.value > root.alpha else -VALUE_MAX,
                root.value if root.value < root.beta else VALUE_MAX,
                root.listed[root.search.stepped.best_move].move, root.search.nodes - started)


cdef int _estimate(const RootSearch *root, const Listed *listed) noexcept nogil:
    """What the table knows of a move by the deepest search of it there was, or NOTHING."""
    cdef TableEntry entry
    cdef ExactNode after
    cdef uint64_t first, second
    cdef int depth
    node_play(&root.root, listed.move, &after)
    for depth in range(listed.depth, max(listed.depth - ESTIMATE_PLIES, 0), -1):
        node_key(&after, depth, root.search.before, &first, &second)
        if table_probe(root.search.table, first, second, depth, &entry):
            if entry.lower == -VALUE_MAX:
                return min(BEYOND - entry.upper, VALUE_MAX)
            if entry.upper == VALUE_MAX:
                return max(-BEYOND - entry.lower, -VALUE_MAX)
            return -(entry.lower + entry.upper) // 2
    return NOTHING


cdef int _first_depth(const RootSearch *root) noexcept nogil:
    """The depth behind the deepest that the table has an entry of."""
    cdef TableEntry entry
    cdef uint64_t first, second
    cdef int depth
    for depth in range(root.depth - 1, 0, -1):
        node_key(&root.root, depth, root.search.before, &first, &second)
        if table_probe(root.search.table, first, second, depth, &entry):
            return depth + 1
    return min(1, root.depth)


cdef void _body(void *argument) noexcept nogil:
    """Search all iterations, on the coroutine; those before the last only find good moves."""
    cdef RootSearch *root = <RootSearch *>argument
    cdef int depth
    # Of two depths the lesser is mostly enough: nothing deeper before that is known.
    cdef int end = root.depth if root.reduced == NOT_REDUCED else root.reduced
    depth = root.depth_first + ((end - root.depth_first) & 1)
    while depth < end:
        exact_value(&root.search, &root.root, depth, root.alpha, root.beta)
        root.depth_done = depth
        depth += 2
    if root.reduced != NOT_REDUCED:
        root.value = exact_value(
            &root.search, &root.root, root.reduced, root.alpha, root.beta)
        root.depth_done = root.reduced
        if root.value >= root.beta:
            return
    _last_iteration(root)
    root.depth_done = root.depth


cdef class ExactSearch(SteppedSearch):
    """One search of a position, which can be left and gone on with.

    Args:
        position: what to search; its side to move is whose view all values take.
        depth: plies to look ahead, 0 to DEEPEST; what is less interesting is searched less deep.
        alpha, beta: the window, -LARGEST_VALUE <= alpha < beta <= LARGEST_VALUE.
        first_depth: the iterations go from here to `depth`; 0: from behind the deepest one that
            the table knows.
        before: the game's positions, which are draws.
        table: a new one by default.
        control: counts nodes as steps; a stopped search stays where it is.

    Raises:
        ValueError: an argument is none of these.
        MemoryError: there is no memory for the search.
    """

    def __cinit__(self, Position position not None, depth, alpha=-VALUE_MAX, beta=VALUE_MAX, *,
                  first_depth=0, GameBefore before=None, KeyedTable table=None,
                  RunControl control=None):
        cdef RootSearch *root = &self.root
        cdef int i
        if not 0 <= depth <= DEPTH_MAX:
            raise ValueError(f"a depth is 0 to {DEPTH_MAX}, not {depth}")
        if not -VALUE_MAX <= alpha < beta <= VALUE_MAX:
            raise ValueError(f"a window is -{VALUE_MAX} <= alpha < beta <= {VALUE_MAX}, not "
                             f"({alpha}, {beta})")
        if first_depth < 0 or position.reduced >= depth:
            raise ValueError("expected a first depth of 0 or more, and a lesser depth that is less")
        self.table = table if table is not None else KeyedTable(TABLE_BYTES)
        self.before = before if before is not None else GameBefore()
        memset(root, 0, sizeof(root[0]))
        root.search.stepped = &self.stepped
        root.search.table = &self.table.table
        root.search.before = &self.before.before
        root.root = position.node
        if self.before.before.count == 0:
            root.root.flags &= ~NODE_BEFORE
        root.reduced = position.reduced
        root.alpha = alpha
        root.beta = beta
        root.depth = depth
        root.depth_first = (
            min(<int>first_depth, root.depth) if first_depth else _first_depth(root))
        root.depth_done = -1
        self._own(control, &root.search.nodes, &root.search.poll_at)
        self.stepped.poll_nodes = POLL_NODES
        self.stepped.best_move = -1
        self.stepped.root_count = list_both(
            &root.root, root.depth, root.reduced, root.search.before, root.listed)
        for i in range(self.stepped.root_count):
            self.stepped.root_moves[i].move = i
        stepped_forget(&self.stepped, VALUE_MAX)
        self._begin(_body, root)

    @property
    def depth_done(self):
        """Depth of the last finished iteration; -1 before."""
        return self.root.depth_done

    @property
    def value(self):
        """The value, fail-soft; None before the search is done."""
        return self.root.value if self.is_done else None

    @property
    def best_move(self):
        """The place, as text, of the first move in canonical order that has the value; None: none.

        If the value is <= alpha no move is known to be best, and this is the one of the highest
        bound.  Positions of less depth than SPLIT_DEPTH tell no moves.
        """
        return None if self.stepped.best_move < 0 else self._move_name(self.stepped.best_move)

    @property
    def move_estimates(self):
        """About what moves are worth, by searches of less depth: a dict from the move's place, as
        text, to centipawns for the side to move.  Moves that no such search was of are left out."""
        cdef int i, value
        found = {}
        for i in range(self.stepped.root_count):
            value = _estimate(&self.root, &self.root.listed[i])
            if value != NOTHING:
                found[self._move_name(i)] = value
        return found

    def probe(self, places):
        """Return what a few captures make of the positions after moves, in centipawns for the
        sides to move there.

        Args:
            places: of the moves, each less than `move_count`.
        """
        cdef ExactNode after
        cdef int place
        found = []
        for place in places:
            if not 0 <= place < self.stepped.root_count:
                raise ValueError(f"there is no move {place}")
            node_play(&self.root.root, self.root.listed[place].move, &after)
            found.append(probe_value(&after.board))
        return found

    @property
    def move_count(self):
        """How many moves the last iteration tells of, in canonical order."""
        return self.stepped.root_count
