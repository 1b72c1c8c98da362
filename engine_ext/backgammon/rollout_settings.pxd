# What a context asks for, as its trials need it.

from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.cube cimport CubeState
from engine_ext.backgammon.dice cimport DiceTables
from engine_ext.backgammon.match_table cimport MatchTable

cdef enum:
    STARTS_MAX = 64           # context.ALTERNATIVES_MAX
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
    RolloutStart starts[STARTS_MAX]

# Fill zeroed settings by a context; the table that keeps its match equities alive, None for money.
cdef MatchTable settings_fill(RolloutSettings *settings, context)
