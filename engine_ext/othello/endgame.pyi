# Nothing for Python: see solver.pyi.
