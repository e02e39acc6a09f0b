"""What must survive: the queue and what is known of each session."""
