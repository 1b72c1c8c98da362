"""An analysed match told move by move, as a page and as text."""
