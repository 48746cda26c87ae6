"""The respondents' client: its program and sentences, a survey's documents, and how a survey stands."""
