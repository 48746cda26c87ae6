"""What staff see first: the list of surveys, one survey, the next step."""
