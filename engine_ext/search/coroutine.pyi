# Nothing for Python: coroutines are for compiled searches (see coroutine.pxd).
