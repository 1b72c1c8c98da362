"""The search trees of running jobs: what is asked of them, and what is answered."""
