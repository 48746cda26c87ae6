"""The builder: drafts, publishing, closing, deletion, and their pages."""
