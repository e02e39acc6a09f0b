"""Facts from a Session, by code alone."""
