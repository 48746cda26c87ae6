"""Jobs that are applied exactly once: lease, fence, dispatch."""
