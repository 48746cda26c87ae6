"""The Django project: pages for respondents and staff, the database and the workers."""
