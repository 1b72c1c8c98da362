# Nothing for Python: the table is for the compiled search (see search_cache.pxd).
