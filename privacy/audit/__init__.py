"""What an attacker learns from disguised rows, and what a design promises."""
