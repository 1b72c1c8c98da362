from typing import Any

NAMES: tuple[str, ...]

def scratch_floats(width: int) -> int: ...
def batch_gradients(
    net: dict[str, Any],
    gradients: dict[str, Any],
    cumulative: Any,
    scratch: Any,
    boards: Any,
    labels: Any,
    pick: Any,
) -> float: ...
