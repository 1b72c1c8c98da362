# Nothing for Python: search.pyx is the face of this search.
