# The root of the fast search, iteration after iteration.

from engine_ext.chess.fast.worker cimport Worker

# Make a worker's root ready: its moves, none known to be good.
cdef void begin_root(Worker *worker) noexcept nogil
# Search one ply deeper than before; whether the iteration was finished.
cdef bint deepen(Worker *worker) noexcept nogil
