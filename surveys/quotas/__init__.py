"""Quotas: how full the groups of open questions are, by published batches alone.

Nobody asks the server about one person. The page says which groups are full, the same for everybody, and the
device decides whether its respondent may go on; of whoever is turned away nothing is sent. What the page says
is a function of the batches that figures may be computed from: an answer moves it with its whole batch, never
alone, and only once later answers have made another batch. So groups can be overshot by what waits.
"""
