"""Invitations: codes that let their holders answer once, kept as digests only."""
