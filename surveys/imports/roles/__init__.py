"""The role of each line: title, question, answer, heading, instruction, or none."""
