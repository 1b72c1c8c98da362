"""Settings of all tests."""

from hypothesis import settings

# A busy machine is slow now and then, and no test asserts a time; see CONTRIBUTING.md.
settings.register_profile("manyply", deadline=None)
settings.load_profile("manyply")
