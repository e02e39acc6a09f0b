"""Models: one warm engine behind one Protocol."""
