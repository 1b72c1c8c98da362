"""Law tests of the protocol: a busy machine must not fail them."""

from hypothesis import settings

settings.register_profile("busy", deadline=None)
settings.load_profile("busy")
