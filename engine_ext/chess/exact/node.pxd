# A position as the reproducible search means it: all that its value depends on beside the depth.
#
# The game's positions before the root, and the root, are a set that does not change while a search
# goes on: who comes back to one of them has a draw.  Repetitions within the tree are not looked
# for, and the half-move clock is part of a position's name only where the depth reaches its end, so
# that a position has one value however it was reached.

from libc.stdint cimport uint8_t, uint64_t
from engine_ext.chess.board cimport (
    CHESS_KING, CHESS_PAWN, ChessBoardStruct, ChessMove, board_is_dead, board_pass, board_play,
    chess_men)

cdef enum:
    NODE_ROOT = 1             # its side has to move: it may not pass, and nothing is a draw yet
    NODE_PASSED = 2           # the other side has just passed: this one may leave it at that
    NODE_BEFORE = 4           # the game's positions can still be come back to
    NODE_FULL_WIDTH = 8       # all moves count, at one depth: nothing is selective
    CLOCK_DRAW = 100          # half-moves
    BEFORE_MAX = 128          # of a game's positions, the newest: more than a clock can count
    DEPTH_MAX = 40            # what a search's stack has room for
    # A mate found with n plies of depth left is worth MATE + n: the sooner, the more.
    MATE = 29_000
    VALUE_MAX = MATE + DEPTH_MAX
    NOTHING = -32_000         # below every value

ctypedef struct ExactNode:
    ChessBoardStruct board
    uint8_t flags

# The game's positions, by their keys.
ctypedef struct Before:
    int count
    uint64_t filter           # the bits key & 63 of all
    uint64_t digest[2]        # of the set
    uint64_t keys[BEFORE_MAX][2]


cdef inline bint is_before(const Before *before, const uint64_t *key) noexcept nogil:
    cdef int i
    if not before.filter >> (key[0] & 63) & 1:
        return False
    for i in range(before.count):
        if before.keys[i][0] == key[0] and before.keys[i][1] == key[1]:
            return True
    return False


cdef inline bint clock_matters(const ExactNode *node, int depth) noexcept nogil:
    return node.board.clock + depth >= CLOCK_DRAW


# The 128 bits that name a node at a depth.
cdef inline void node_key(const ExactNode *node, int depth, const Before *before,
                          uint64_t *first, uint64_t *second) noexcept nogil:
    cdef uint64_t salt = node.flags & ~NODE_BEFORE
    if clock_matters(node, depth):
        salt |= (<uint64_t>node.board.clock + 1) << 8
    # Odd constants with evenly mixed bits: any will do.
    first[0] = node.board.key[0] ^ salt * <uint64_t>0x9E3779B97F4A7C15
    second[0] = node.board.key[1] ^ salt * <uint64_t>0xC2B2AE3D27D4EB4F
    if node.flags & NODE_BEFORE:
        first[0] ^= before.digest[0]
        second[0] ^= before.digest[1]


# The position after a move, or after the pass that move 0 is.
cdef inline void node_play(const ExactNode *node, ChessMove move, ExactNode *after) noexcept nogil:
    if move == 0:
        board_pass(&node.board, &after.board)
        after.flags = NODE_PASSED | node.flags & NODE_BEFORE
        return
    board_play(&node.board, move, &after.board)
    after.flags = node.flags & NODE_FULL_WIDTH
    if after.board.clock:
        after.flags |= node.flags & NODE_BEFORE


# Whether the game is drawn there whatever its moves are; mates come first, which is the caller's
# care.
cdef inline bint node_is_drawn(const ExactNode *node, const Before *before) noexcept nogil:
    if node.flags & (NODE_ROOT | NODE_PASSED):
        return False
    if node.board.clock >= CLOCK_DRAW:
        return True
    if node.flags & NODE_BEFORE and is_before(before, node.board.key):
        return True
    return board_is_dead(&node.board)


# Whether the side to move has more than its king and pawns.
cdef inline bint node_has_pieces(const ExactNode *node) noexcept nogil:
    return node.board.us & ~(
        chess_men(&node.board, CHESS_PAWN) | chess_men(&node.board, CHESS_KING)) != 0
