"""`manyply analyse`: records gone through, and shown."""
