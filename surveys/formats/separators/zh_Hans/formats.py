"""Group digits of Simplified Chinese texts by three, as in English. Django's own format has no separator."""

THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
