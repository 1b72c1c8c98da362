"""Making the value net of Threes! from nothing."""
