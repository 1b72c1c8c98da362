"""The base of every error that a user is shown as one line, without a traceback."""


class MasterError(Exception):
    """What was asked cannot be done; the text is one line for the user."""
