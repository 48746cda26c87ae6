"""Costs of a design before anyone answers: errors, power and proposals.

- `planned_survey`: yes/no questions, described by a few numbers;
- `layouts`: how to divide sensitive questions into blocks;
- `light_strength`: how lightly the direct group can be disguised;
- `part_variance`: variance of supports if questions rotate.
"""
