# Nothing for Python: the formulas are for the compiled modules (see janowski.pxd).
