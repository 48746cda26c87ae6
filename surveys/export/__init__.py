"""Export of disguised answers, with everything needed to recompute a run's figures."""
