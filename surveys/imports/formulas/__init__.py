"""Formulas and conditions of XLSForms and REDCap, which become scores and filters."""
