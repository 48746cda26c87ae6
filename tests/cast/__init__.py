"""The cast of the tests: designs, surveys, devices, people and tables, each made in one place."""
