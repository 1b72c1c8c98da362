"""The search trees of running jobs: requests and answers."""
