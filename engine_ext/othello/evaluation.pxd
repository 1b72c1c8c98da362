# What a search asks an evaluation: one integer for a position, a function of the position alone.

from libc.stdint cimport uint64_t

# The value for `player`, who is to move; higher is better.  The unit is the evaluation's own.
# `weights` are the evaluation's.  Called without the GIL from several threads.
ctypedef int (*Evaluate)(const void *weights, uint64_t player,
                         uint64_t opponent) noexcept nogil

cdef class Evaluation:
    # Owner of the weights: searches keep a reference to it.  A subclass sets both.
    cdef Evaluate evaluate
    cdef const void *weights
