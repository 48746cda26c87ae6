"""Protected parts in other tools: the frame they show, its answer strings, and reading their files."""
