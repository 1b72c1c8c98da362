"""Chess beyond its engine: searches by a fleet, play, UCI, PGN, analysis, reports."""
