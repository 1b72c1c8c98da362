"""Who computes for this master: doors, seats, calls, and what comes in."""
