# cython: language_level=3
"""Which cube states can follow a node's, so that one walk of the tree serves them all.

Knows who may double and what a take leads to.  Must not know positions or dice.
"""

from engine_ext.backgammon.cube cimport (
    CubeState, cube_after_take, cube_equity_not_passed, cube_equity_of_take, cube_may_double,
    cube_outcome_equity, cube_swapped,
)


cdef double with_best_cube(const CubeState *cube, double no_double, double taken) noexcept nogil:
    """Return the equity with the best cube action; `taken` in units of the turned cube.

    GIL: nogil.  Never fails.
    """
    cdef double not_passed = cube_equity_not_passed(cube, cube_equity_of_take(cube, taken))
    cdef double double_pass = cube_outcome_equity(cube, 1)
    cdef double doubled = not_passed if not_passed < double_pass else double_pass
    return doubled if doubled > no_double else no_double


cdef int _add_state(NextCubes *next_cubes, const CubeState *cube) noexcept nogil:
    """Return the number of a state; states with one value and owner are one state."""
    cdef int i
    for i in range(next_cubes.count):
        if (next_cubes.states[i].cube_value == cube.cube_value
                and next_cubes.states[i].cube_owner == cube.cube_owner):
            return i
    next_cubes.states[next_cubes.count] = cube[0]
    next_cubes.count += 1
    return next_cubes.count - 1


cdef void next_cubes_fill(NextCubes *next_cubes, const CubeState *cubes, int count,
                          bint is_cubeful) noexcept nogil:
    """List what follows `count` states; without the cube in play nobody doubles.

    GIL: nogil.  Never fails.
    """
    cdef int i
    cdef CubeState swapped, taken
    next_cubes.count = 0
    for i in range(count):
        swapped = cube_swapped(&cubes[i])
        next_cubes.idle[i] = _add_state(next_cubes, &swapped)
        next_cubes.taken[i] = -1
        if is_cubeful and cube_may_double(&swapped):
            taken = cube_after_take(&swapped)
            next_cubes.taken[i] = _add_state(next_cubes, &taken)
