# Nothing for Python: cube states are for the compiled search (see next_cubes.pxd).
