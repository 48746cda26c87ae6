"""The words and marks of one line: numbers, boxes, amounts, cues in ten languages, legends, and answers."""
