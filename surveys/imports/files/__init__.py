"""Uploaded files: unpack them within limits, repair an XLSForm's workbook, recognise other tools' files."""
