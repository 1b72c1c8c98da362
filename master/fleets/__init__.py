"""Fleets of analysers that an engine places: Slurm, Kubernetes and others, or this master."""
