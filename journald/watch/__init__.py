"""What happens in the projects folders, and when a session counts as idle."""
