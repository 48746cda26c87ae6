"""What a survey tells about those who answered: before launch, from the answers, on the page of a run."""
