"""How the shipped pattern weights were made; see README.md."""


class TrainingError(RuntimeError):
    """What a command was given does not suffice."""
