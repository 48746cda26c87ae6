"""Pictures of releases: bars of a loss, and the lattice of generalisations."""
