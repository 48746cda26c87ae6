"""Disguised answers to take away, with what is needed to compute a run's figures again."""
