# The cube states that a node's children are evaluated with.

from engine_ext.backgammon.cube cimport CubeState

cdef enum:
    # Cube states followed at once.  From two at the root, a level adds to each state
    # the one after its double; states are (value, owner), so 3 plies meet at most 8.
    CUBES_MAX = 16

# The states of a node's children, seen by the player to roll there: for the node's
# state i, number `idle[i]` if that player does not double, `taken[i]` if he does (or -1).
ctypedef struct NextCubes:
    int count
    CubeState states[16]
    int idle[16]
    int taken[16]

cdef void next_cubes_fill(NextCubes *next_cubes, const CubeState *cubes, int count,
                          bint is_cubeful) noexcept nogil
cdef double with_best_cube(const CubeState *cube, double no_double, double taken) noexcept nogil
