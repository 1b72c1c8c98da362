from engine_ext.control import RunControl

def run_noop(
    first_seq: int, count: int, rounds: int, control: RunControl
) -> list[tuple[float, ...]]: ...
