"""Fleets on batch systems that Parsl's providers speak with: PBS, LSF, Grid Engine, HTCondor."""
