"""From a request's bytes to a receipt and an inbox row, and from inbox rows to a batch."""
