"""Protected parts in other tools: the frame that shows them, its answer strings, and reading tools' files."""
