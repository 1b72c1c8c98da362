"""The engine that chess boards talk to by UCI: what lines mean and what is answered."""
