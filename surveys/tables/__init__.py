"""Tables from outside: any file read alike, its texts encoded by column, with labels and missing codes."""
