"""The lines of a text: their place, language, answers and conditions, as all later steps read them."""
