"""The master: jobs, scheduler, folds, store and services."""
