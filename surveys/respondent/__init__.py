"""The respondents' client: its program and texts, a survey's documents and state, and invitations."""
