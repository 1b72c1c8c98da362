"""What playing any game at the terminal shares."""
