"""Files that leave the installation: tables of results, rows for other programs, documents."""
