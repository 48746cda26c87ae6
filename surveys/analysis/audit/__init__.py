"""Select, compute and store what the rows of a survey tell an adversary."""
