# Games played in bulk: positions for training, and matches.

from libc.stdint cimport uint64_t
from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.evaluate cimport EvalTables
from engine_ext.backgammon.movegen cimport MoveList

# Who chooses the moves: PubEval if tables is NULL.
ctypedef struct Player:
    const EvalTables *tables      # borrowed from an Evaluator
    double pubeval[2][122]        # PubEval's weights in contact, and in a race

# Everything one running game needs; one a call, on the heap.
ctypedef struct Workspace:
    MoveList moves
    Board after[3060]             # the moves' boards, the opponent on roll
    double probs[3060][5]         # of `after`, cumulative
    Player player[2]

ctypedef struct Dice:
    int die1
    int die2
    uint64_t chance               # 32 random bits for whoever needs them
    uint64_t choice               # 32 more

# How paths are played on and labelled.
ctypedef struct FollowRules:
    double decay                  # share that a turn passes on of what was found amiss later
    int random_one_in             # one move in this many is random; 0 for none
    double random_loss_max        # and loses at most this much to the best
    bint to_race                  # a path ends where contact does, not where all are home
