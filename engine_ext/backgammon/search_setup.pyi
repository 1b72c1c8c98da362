# Nothing for Python: for the compiled modules alone (see search_setup.pxd).
