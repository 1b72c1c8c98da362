"""The running master: the scheduler bound to analysers, the store and those who wait."""
