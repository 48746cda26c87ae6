"""An application that plugs in at every place there is, to be put into SOTTOVOCE_APPS."""
