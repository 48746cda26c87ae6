"""The interface for programs: what staff read on their pages, as JSON, behind the same doors."""
