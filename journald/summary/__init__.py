"""A digest becomes a narrative: planned, summarised, merged, held against the transcript."""
