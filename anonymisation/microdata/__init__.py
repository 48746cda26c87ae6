"""Microdata releases: tables read, releases made and checked, written whole or not at all."""
