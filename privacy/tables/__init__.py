"""Tables from outside: read files and data frames as columns of texts, and decide what the texts mean."""
