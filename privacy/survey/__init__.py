"""The survey's protocol: how a device draws, disguises and sends answers, and the channel of its reports."""
