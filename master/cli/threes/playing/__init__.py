"""Games of Threes! at the terminal."""
