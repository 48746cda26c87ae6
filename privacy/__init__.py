"""The law of Sotto: what a device does to answers, and what can be concluded from the result.

Pure: no file, no clock, no global randomness. Rooms: `privacy.disguise` (what is sent),
`privacy.reconstruct` (from counts back to the population), `privacy.audit` (what an attacker learns).
"""
