# One trial of a rollout: a game played out from an alternative's position.

from libc.stdint cimport uint64_t
from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.cube cimport CubeState
from engine_ext.backgammon.evaluate cimport Evaluator
from engine_ext.backgammon.match_table cimport MatchTable
from engine_ext.backgammon.rollout_settings cimport RolloutSettings
from engine_ext.backgammon.search cimport Search

cdef enum:
    VALUE_COUNT = 7           # the five probabilities, cubeless and cubeful equity
    SIDE_VALUE_COUNT = 6      # the five probabilities and the cubeful equity

# A game in progress.
ctypedef struct Game:
    Board board
    CubeState cube            # seen by the player on roll
    bint is_root_on_roll
    int turn                  # half-moves played
    bint has_static_probs
    double static_probs[5]    # of the position at hand, player on roll
    double luck[6]            # of the root's player so far
    double final[6]           # set when the game has ended; the root's player

cdef bint rollout_play(const RolloutSettings *settings, int start, uint64_t game_number,
                       Search *search, double *values) noexcept nogil

cdef class RolloutPlayer:
    cdef RolloutSettings *_settings
    cdef Evaluator _evaluator
    cdef MatchTable _table            # keeps the match equities alive; None in money play
    cdef list _idle_searches          # workspaces not in use; the GIL guards it
    cdef readonly object context
