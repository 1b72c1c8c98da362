# Learning what boards of Threes! are worth from games; see learn.pyx.

from libc.stdint cimport uint16_t, uint32_t, uint64_t

cdef enum:
    GAME_MOVES_MAX = 1 << 15  # no game of a player that learns has so many
    POOL_SIZE = 4096          # states kept of each stage
    STAGES = 3                # 768, 1536 and 3072
    THREADS_MAX = 8

ctypedef struct Start:
    uint64_t cells
    uint16_t bag

# States in which a card first appeared: the last ones, in a ring.
ctypedef struct Pool:
    Start states[POOL_SIZE]
    uint32_t count

# How a weight was mended so far.
ctypedef struct Past:
    float error               # the sum of its errors...
    float size                # ... and of their sizes

# What learns. Choosing a move reads many weights and nothing else, so these lie by themselves.
ctypedef struct Learning:
    float *weights            # [WEIGHTS], points
    Past *pasts               # [WEIGHTS]
    float decay               # lambda
    float restarts            # the share of games that begin from a pool

cdef class Learner:
    cdef Learning learning
    cdef Pool *pools          # [THREADS_MAX][STAGES]
