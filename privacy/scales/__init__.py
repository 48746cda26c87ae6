"""Questions for a number or a place: channels, skips, estimated distributions, proposals."""
