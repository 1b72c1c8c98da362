"""The root of the fast search: iterations, aspiration windows, several best moves.

Knows the root's moves and what the last iteration found of them.  Must not know time.
"""

from libc.string cimport memcpy, memset
from engine_ext.chess.board cimport ChessBoardStruct, ChessMove, board_is_check, board_play
from engine_ext.chess.evaluation cimport evaluate
from engine_ext.chess.fast.full_width cimport child_value, reduction_of
from engine_ext.chess.fast.node cimport Node, extend_line
from engine_ext.chess.fast.quiescence cimport count_node
from engine_ext.chess.fast.worker cimport (
    DEEPEST, FRAMES, INFINITE, NO_VALUE, Frame, RootLine, Worker, begin_move, frame_at, is_noisy)
from engine_ext.control cimport control_is_stopped

cdef enum:
    WINDOW_DEPTH = 5          # from here on values are looked for near the last one
    WINDOW = 14
    WINDOW_MAX = 1000         # beyond it the window has no end on that side


cdef void _bring_forward(Worker *worker, int place, int to) noexcept nogil:
    """Bring a move of the root to an earlier place; those between move on by one."""
    cdef RootLine line = worker.root_lines[place]
    cdef int i
    for i in range(place, to, -1):
        worker.root_lines[i] = worker.root_lines[i - 1]
    worker.root_lines[to] = line


cdef void _root_value(Worker *worker, int first, int depth, int alpha, int beta) noexcept nogil:
    """Search the moves of the root from place `first` on; the best comes to that place."""
    cdef Node node
    cdef Frame *frame = frame_at(worker, 0)
    cdef ChessBoardStruct after
    cdef RootLine *line
    cdef bint gives_check
    cdef int i, value, reduction
    memset(&node, 0, sizeof(node))
    node.board = &worker.root
    node.alpha, node.beta, node.depth = alpha, beta, depth
    node.is_pv = True
    node.is_check = board_is_check(&worker.root)
    count_node(worker, 0)
    for i in range(first, worker.root_count):
        worker.root_lines[i].value = -INFINITE
    for i in range(first, worker.root_count):
        line = &worker.root_lines[i]
        worker.root_number = i - first + 1
        board_play(&worker.root, line.move, &after)
        gives_check = board_is_check(&after)
        reduction = reduction_of(worker, &node, line.move, i - first + 1,
                                 not is_noisy(&worker.root, line.move), gives_check)
        begin_move(worker, &worker.root, 0, line.move)
        value = child_value(worker, &node, &after, i - first + 1, depth - 1, reduction,
                            gives_check)
        if worker.is_stopped:
            return
        if i > first and value <= node.alpha:
            continue
        extend_line(worker, 0, line.move)
        line.value = value
        line.line_count = frame.line_count
        memcpy(line.line, frame.line, frame.line_count * sizeof(ChessMove))
        _bring_forward(worker, i, first)
        node.alpha = max(node.alpha, value)
        if value >= beta:
            return


cdef void _aspire(Worker *worker, int first, int depth) noexcept nogil:
    """Search for a move of the root under a small window, a larger one if that fails."""
    cdef int delta = WINDOW
    cdef int about = worker.root_lines[first].before
    cdef int alpha = -INFINITE
    cdef int beta = INFINITE
    cdef int value
    if depth >= WINDOW_DEPTH:
        alpha = max(about - delta, -INFINITE)
        beta = min(about + delta, INFINITE)
    while True:
        _root_value(worker, first, depth, alpha, beta)
        if worker.is_stopped:
            return
        value = worker.root_lines[first].value
        delta += delta // 2
        if value <= alpha > -INFINITE:
            beta = (alpha + beta) // 2
            alpha = value - delta if delta < WINDOW_MAX else -INFINITE
        elif value >= beta < INFINITE:
            beta = value + delta if delta < WINDOW_MAX else INFINITE
        else:
            return
        alpha = max(alpha, -INFINITE)
        beta = min(beta, INFINITE)


cdef inline int _worth(const RootLine *line) noexcept nogil:
    """Moves that this iteration knows come first; others by the last one."""
    return line.value + 4 * INFINITE if line.value > -INFINITE else line.before


cdef void _sort(Worker *worker, int count) noexcept nogil:
    """Order the first `count` moves by what they are worth, equal ones as they stood."""
    cdef int i, place
    for i in range(1, count):
        place = i
        while place and _worth(&worker.root_lines[place - 1]) < _worth(&worker.root_lines[i]):
            place -= 1
        _bring_forward(worker, i, place)


cdef void begin_root(Worker *worker) noexcept nogil:
    """Forget what is known of the root's moves.  Never fails.  GIL: nogil."""
    cdef int i
    for i in range(FRAMES):
        worker.frames[i].static_value = NO_VALUE
        worker.frames[i].continuation = &worker.continuations[0][0]
    frame_at(worker, 0).since_pass = 1 << 20
    worker.keys[worker.before_count] = worker.root.key[0]
    for i in range(worker.root_count):
        worker.root_lines[i].value = worker.root_lines[i].before = -INFINITE
        worker.root_lines[i].line_count = 1
        worker.root_lines[i].line[0] = worker.root_lines[i].move


cdef bint deepen(Worker *worker) noexcept nogil:
    """Search one ply deeper; whether that was finished.  Never fails.  GIL: nogil.

    The first iteration is finished whatever stops it, so that there is a move.
    """
    cdef int i
    cdef Frame *frame = frame_at(worker, 0)
    if worker.control is not NULL and worker.depth and control_is_stopped(worker.control):
        worker.is_stopped = True
    if worker.is_stopped or worker.depth == DEEPEST:
        return False
    worker.selective_depth = 0
    if not board_is_check(&worker.root):
        frame.static_value = evaluate(&worker.root)
    for i in range(worker.root_count):
        if worker.root_lines[i].value > -INFINITE:
            worker.root_lines[i].before = worker.root_lines[i].value
    for i in range(min(worker.line_count, worker.root_count)):
        _aspire(worker, i, worker.depth + 1)
        _sort(worker, i + 1)
        if worker.is_stopped:
            _sort(worker, worker.root_count)
            return False
    worker.depth += 1
    return True
