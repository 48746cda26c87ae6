"""The words and marks of one line: numbers, boxes, amounts, cues in eleven languages, legends, answers."""
