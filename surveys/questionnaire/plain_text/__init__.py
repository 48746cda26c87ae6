"""A survey as people write it down: title, questions, options, line by line."""
