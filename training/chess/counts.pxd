# Nothing for other extensions.
