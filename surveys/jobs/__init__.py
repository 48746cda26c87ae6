"""Jobs that take effect exactly once: lease, fence, dispatch."""
