"""Write what a study found: its page, its pictures and its table."""
