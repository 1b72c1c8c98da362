# Nothing for Python: a tree of bounds sweeps (see bounds_tree.pyx).
