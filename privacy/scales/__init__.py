"""Numbers of a range and places on a map: channels, skips, estimated distributions, proposals."""
