"""The planner: what a design costs in privacy and gives in precision, while it can still be changed."""
