"""A Session becomes condensed, redacted text for a model."""
