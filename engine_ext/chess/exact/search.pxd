# A search of a node to a depth, in steps.

from engine_ext.chess.exact.listing cimport Listed
from engine_ext.chess.exact.node cimport ExactNode
from engine_ext.chess.exact.position cimport GameBefore
from engine_ext.chess.exact.value cimport ValueSearch
from engine_ext.search.stepped cimport ROOT_MOVES_MAX, SteppedSearch
from engine_ext.search.table cimport KeyedTable

ctypedef struct RootSearch:
    ValueSearch search
    ExactNode root
    int alpha
    int beta
    int depth
    int reduced               # NOT_REDUCED, or the greater of both depths' values is wanted
    int depth_first           # iterations go from here to `depth`
    int depth_done            # of the last finished one; -1 before
    int value                 # of the last iteration, fail-soft
    Listed listed[ROOT_MOVES_MAX]     # of the last iteration, in canonical order

cdef class ExactSearch(SteppedSearch):
    cdef RootSearch root
    cdef KeyedTable table
    cdef GameBefore before
