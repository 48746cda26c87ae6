"""The staff's desk: the list of surveys, one survey, the next step."""
