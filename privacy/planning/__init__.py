"""What a design costs before anybody answers: errors, power, proposals, and frontiers of designs.

- `planned_survey`: yes/no questions given by numbers;
- `frontier`: designs of one question that no other is better than;
- `layouts`: sensitive questions in parts; `light_strength`: how lightly the direct group can be disguised;
- `calibration`: from a promise rho1 to rho2 to a part.
"""
