"""Studies with known truth: simulation, coverage, the source's experiment, older models."""
