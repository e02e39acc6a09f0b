"""A longer run of the structured mutations: `pytest tests/fuzz --hypothesis-profile=fuzz`."""

from hypothesis import settings

settings.register_profile("fuzz", max_examples=50_000, deadline=None)
