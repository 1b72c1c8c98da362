"""The UCI engine for chess boards: the meaning of its input lines, and its answers."""
