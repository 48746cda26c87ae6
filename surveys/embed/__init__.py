"""Protected parts in other tools: the frame that they show, its line of text, their files read back."""
