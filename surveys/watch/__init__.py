"""Look from outside whether the respondents' page is what was published. The command is ``sotto watch``."""
