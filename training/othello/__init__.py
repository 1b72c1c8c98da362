"""How the shipped pattern weights were made; see README.md."""


class TrainingError(RuntimeError):
    """The input of a command does not suffice."""
