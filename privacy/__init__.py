"""The law of Sotto: what a device does to answers, and what can be concluded from the result.

Pure: no file, no clock, no global randomness. Rooms: `privacy.channels` (finite channels),
`privacy.survey` (what is sent), `privacy.estimation` (from counts back to the population), `privacy.risk`
(what an attacker learns), `privacy.sdc` (publishing records).
"""
