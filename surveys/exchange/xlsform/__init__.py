"""Read and write a questionnaire as an XLSForm workbook."""
