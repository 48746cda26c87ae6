"""What respondents meet: the page of a survey, the seal, and what becomes of a sealed body."""
