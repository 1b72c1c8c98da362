"""Games that the engine plays for viewers of the page."""
