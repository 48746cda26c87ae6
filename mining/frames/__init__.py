"""The product's own model on a DataFrame: a survey's design, its reports, shares, rules and regressions."""
