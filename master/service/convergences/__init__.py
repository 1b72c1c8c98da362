"""The progress of jobs of trials: the course of their means, and the flow of their results."""
