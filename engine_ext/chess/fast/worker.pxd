# What one thread of the fast search knows: its line, and which moves were good before.

from libc.stdint cimport int16_t, uint64_t
from engine_ext.chess.board cimport (
    CHESS_CASTLING, CHESS_CODES, CHESS_EN_PASSANT, CHESS_MOVES_MAX, CHESS_NONE, CHESS_PAWN,
    CHESS_QUEEN, ChessBoardStruct, ChessMove, chess_code)
from engine_ext.chess.fast.table cimport FastSlots
from engine_ext.control cimport Control

cdef enum:
    # 30,000 - n: a mate n plies on.  A static value is below 20,000.
    INFINITE = 32_000
    NO_VALUE = 32_001
    MATE = 30_000
    MATE_BOUND = 29_000       # beyond it a value is a mate's
    DEEPEST = 100             # deepest iteration
    PLY_MAX = 160             # plies from the root that a line can be long
    BEFORE_MAX = 128          # positions of the game that are looked at for repetition
    BEHIND = 4                # frames before the root's, empty
    FRAMES = BEHIND + PLY_MAX + 4
    HISTORY_MAX = 16_384
    QUEUE_MAX = 32            # moves that are told they were no good

# Replies, or moves of the same side later on: by what moved and where to.
ctypedef int16_t Continuation[CHESS_CODES][64]

ctypedef struct Frame:
    ChessMove move            # that is being tried; 0: none, or the move is passed
    ChessMove excluded        # not to be tried; 0: none
    ChessMove killers[2]
    int static_value          # NO_VALUE: in check
    int since_pass            # plies since the move was passed
    Continuation *continuation     # of `move`
    int line_count
    ChessMove line[PLY_MAX]   # the best known line from here

ctypedef struct RootLine:
    ChessMove move
    int value                 # -INFINITE: not known in this iteration
    int before                # its value of the last iteration
    int line_count
    ChessMove line[PLY_MAX]

ctypedef struct Worker:
    ChessBoardStruct root
    FastSlots *slots
    Control *control          # may be NULL
    uint64_t nodes
    uint64_t nodes_max        # 0: as many as it takes
    uint64_t nodes_reported   # of nodes, what `control` has been told
    uint64_t poll_at
    bint is_stopped
    int depth                 # of the last finished iteration
    int selective_depth
    int pass_from_ply         # nobody passes before this ply: a pass is being verified
    int line_count            # best moves that are wanted
    int root_count
    int root_number           # of the move of the root that is being searched
    int before_count          # positions of the game before the root
    uint64_t keys[BEFORE_MAX + PLY_MAX]
    int16_t history[2][64 * 64]                     # of quiet moves, by colour, from and to
    int16_t capture_history[CHESS_CODES][64][CHESS_CODES]     # by man, to, and what it takes
    Continuation continuations[CHESS_CODES][64]
    Frame frames[FRAMES]
    RootLine root_lines[CHESS_MOVES_MAX]


cdef inline int moved_code(const ChessBoardStruct *board, ChessMove move) noexcept nogil:
    return chess_code(board, move & 63)


cdef inline int taken_code(const ChessBoardStruct *board, ChessMove move) noexcept nogil:
    if move >> 12 == CHESS_EN_PASSANT:
        return CHESS_PAWN
    return CHESS_NONE if move >> 12 == CHESS_CASTLING else chess_code(board, move >> 6 & 63)


cdef inline bint is_noisy(const ChessBoardStruct *board, ChessMove move) noexcept nogil:
    """Whether a move takes or becomes a queen."""
    return taken_code(board, move) != CHESS_NONE or move >> 12 == CHESS_QUEEN


cdef inline void add_bonus(int16_t *history, int bonus) noexcept nogil:
    """Move a history by a bonus, the less the nearer it is to the bound."""
    history[0] += <int16_t>(bonus - history[0] * (bonus if bonus > 0 else -bonus) // HISTORY_MAX)


cdef inline Frame *frame_at(Worker *worker, int ply) noexcept nogil:
    return &worker.frames[ply + BEHIND]


cdef inline int quiet_history(Worker *worker, const ChessBoardStruct *board, int ply,
                              ChessMove move) noexcept nogil:
    """How good a quiet move was elsewhere: alone, and after the moves before it."""
    cdef int code = moved_code(board, move)
    cdef int to = move >> 6 & 63
    return (worker.history[board.is_black][move & 0xFFF]
            + frame_at(worker, ply - 1).continuation[0][code][to]
            + frame_at(worker, ply - 2).continuation[0][code][to]
            + frame_at(worker, ply - 4).continuation[0][code][to] // 2)


cdef inline void begin_move(Worker *worker, const ChessBoardStruct *board, int ply,
                            ChessMove move) noexcept nogil:
    """Note the move that is tried; 0 is a pass."""
    cdef Frame *frame = frame_at(worker, ply)
    frame.move = move
    frame.continuation = &worker.continuations[moved_code(board, move) if move else 0][
        move >> 6 & 63]
    frame_at(worker, ply + 1).since_pass = frame.since_pass + 1 if move else 0


cdef inline ChessMove pick(ChessMove *moves, int *scores, int first, int count) noexcept nogil:
    """Bring the move of the highest score from `first` on to `first`."""
    cdef int best = first
    cdef int i, score
    cdef ChessMove move
    for i in range(first + 1, count):
        if scores[i] > scores[best]:
            best = i
    move = moves[best]
    score = scores[best]
    moves[best] = moves[first]
    scores[best] = scores[first]
    moves[first] = move
    scores[first] = score
    return move


cdef inline int mate_announced(int value, int ply) noexcept nogil:
    """A value as the table keeps it: mates counted from the position."""
    if value >= MATE_BOUND:
        return value + ply
    return value - ply if value <= -MATE_BOUND else value


cdef inline int mate_read(int value, int ply) noexcept nogil:
    """A kept value as seen from the root."""
    if value >= MATE_BOUND:
        return value - ply
    return value + ply if value <= -MATE_BOUND else value
