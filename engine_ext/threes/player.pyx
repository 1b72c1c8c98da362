"""Games played to their ends: each a pure function of (weights, seed, number, plies).

Knows how a move is chosen.  Must not know who asks.  The move of the largest value is made; of
equals the first of up, down, left, right.
"""

from libc.stdint cimport uint64_t
from engine_ext.control cimport RunControl, control_is_stopped, control_step
from engine_ext.threes.board cimport DIRECTIONS, board_score, highest_rank
from engine_ext.threes.depth cimport NO_RARITY, Depth, checked_depth, plies_for
from engine_ext.threes.expectimax cimport Adviser, Expectimax, move_values
from engine_ext.threes.game cimport Game, game_begin, game_move
from engine_ext.threes.value cimport NetWeights

# How far somebody looks who plays.
ctypedef struct Player:
    int plies
    int plies_max
    int rarity


cdef int _best_move(Expectimax *search, const Game *game, Player player) noexcept nogil:
    """Return the direction of the best move; -1: none is legal.  Never fails; nogil."""
    cdef double[4] values
    cdef int direction, best = -1
    cdef Depth depth
    depth.plies = plies_for(game.cells, player.plies, player.plies_max)
    depth.rarity = player.rarity
    move_values(search, game.cells, game.bag, game.next, depth, values)
    for direction in range(DIRECTIONS):
        if values[direction] >= 0.0 and (best < 0 or values[direction] > values[best]):
            best = direction
    return best


cdef bint _play(Expectimax *search, Game *game, Player player) noexcept nogil:
    """Play a game to its end; False if it was stopped before.  Never fails; nogil."""
    cdef int direction
    while True:
        direction = _best_move(search, game, player)
        if search.control != NULL:
            if control_is_stopped(search.control):
                return False
            control_step(search.control, 1)
        if direction < 0:
            return True
        game_move(game, direction)


def play_game(NetWeights weights not None, uint64_t seed, uint64_t number, int plies,
              RunControl control not None, int plies_max=0, int rarity=NO_RARITY):
    """Return (moves, highest rank, score) of a game; None if `control` was stopped before its end.

    Args:
        weights: values of boards.
        seed: of all chance.
        number: which game of the seed.
        plies: moves to look ahead, 1 to PLIES_MAX.
        control: counts moves as steps, and boards of deep searches.
        plies_max: moves to look ahead where it matters most; see depth.pyx. Less than plies: no
            more than these.
        rarity: what is less likely is cut.

    Errors: ValueError, MemoryError.  GIL: released.
    """
    cdef Game game
    cdef Player player
    cdef bint is_over
    cdef Adviser adviser = Adviser(weights, control)
    checked_depth(plies, rarity)
    player.plies, player.rarity = plies, rarity
    player.plies_max = checked_depth(max(plies, plies_max), rarity).plies
    with nogil:
        game_begin(&game, seed, number)
        is_over = _play(&adviser.search, &game, player)
    if not is_over:
        return None
    return game.moves, highest_rank(game.cells), board_score(game.cells)
