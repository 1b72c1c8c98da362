"""The protocols for other backgammon programs: boards and decisions in lines of text."""
