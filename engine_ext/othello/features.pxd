# The four-term evaluation: what a documented program without learning knows.

from libc.stdint cimport uint64_t
from engine_ext.othello.evaluation cimport Evaluation

cdef enum:
    CLASSES = 7               # of squares that are worth the same

ctypedef struct FourTerms:
    uint64_t squares
    uint64_t classes[CLASSES]  # the squares of each class

cdef class FourTermEvaluation(Evaluation):
    cdef FourTerms terms
