"""Games that the engine plays for those who watch the page."""
