"""Logistic regressions on answers that a channel disguised: latent answers, outcomes, standardised shares."""
