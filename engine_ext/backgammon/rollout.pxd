# One trial of a rollout: a game played out from an alternative's position.

from libc.stdint cimport uint64_t
from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.cube cimport CubeState
from engine_ext.backgammon.dice cimport DiceTables
from engine_ext.backgammon.evaluate cimport Evaluator
from engine_ext.backgammon.match_table cimport MatchTable
from engine_ext.backgammon.search cimport Search

cdef enum:
    VALUE_COUNT = 7           # the five probabilities, cubeless and cubeful equity
    SIDE_VALUE_COUNT = 6      # the five probabilities and the cubeful equity
    STARTS_MAX = 100
    # Where a game is truncated that is not to be: sensible play ends within 300
    # half-moves, and only two sides that wait for each other for ever get here.
    TURNS_MAX = 1024

# Where an alternative's games begin.
ctypedef struct RolloutStart:
    Board board               # the player who rolls first is on roll
    CubeState cube            # seen by the same player
    bint is_root_on_roll      # that player is the one on roll at the root
    bint may_double_first     # a cube decision comes before the first roll

# How far a side looks ahead.
ctypedef struct Levels:
    int ply                   # for checker plays
    int cube_ply              # for cube decisions

ctypedef struct RolloutSettings:
    CubeState root_cube       # seen by the player on roll at the root
    DiceTables dice
    bint is_cubeful
    bint is_variance_reduced
    bint is_bearoff_truncated
    Levels early[2]           # of the root's player on roll, and of the opponent
    Levels late[2]            # the same from half-move late_after on
    int late_after            # 0 = never
    int move_filter
    int truncation_ply        # TURNS_MAX if not before
    int evaluation_ply        # level of the evaluation at a truncation
    int start_count
    RolloutStart starts[64]

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
