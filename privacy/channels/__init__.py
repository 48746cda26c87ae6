"""Finite channels, exactly: windows, tiles, randomised response, their errors and bounds."""
