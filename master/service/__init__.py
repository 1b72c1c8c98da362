"""The running master: the scheduler with its analysers, the store and its clients."""
