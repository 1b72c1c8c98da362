"""The base of every error that a user is shown as one line, without a traceback."""


class MasterError(Exception):
    """A request cannot be carried out; the text is one line for the user."""


class NoAnalyserError(MasterError):
    """No part was computed for a while for want of an analyser that can be used."""


class UnguardedError(MasterError):
    """Options ask for a listener that anybody could use; another option is missing."""
