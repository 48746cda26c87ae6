"""The shell people meet: respondents, researchers, the database and the worker."""
