"""What is asked of a timeline at the web door."""
