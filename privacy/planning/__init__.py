"""Costs of a design before anyone answers: errors, power and proposals.

- `planned_survey`: yes/no questions given by numbers;
- `layouts`: sensitive questions in parts; `light_strength`: how lightly the direct group can be disguised;
- `part_variance`: the variance of supports where questions rotate.
"""
