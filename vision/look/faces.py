"""Which card faces does the eye know, and how are they called in table notation?"""

BACK = "back"
NONE = "none"
UNSURE = "?"

RANKS = "A23456789TJQK"
SUITS = "cdhs"
COLOURS = "rygb"
SYMBOLS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2")

SUITED = tuple(rank + suit for rank in RANKS for suit in SUITS)
FRENCH = (*SUITED, "Jk")
COLOURED = tuple(colour + symbol for symbol in SYMBOLS for colour in COLOURS)
UNO = (*COLOURED, "W", "W+4")

FACES = (*FRENCH, *UNO, BACK, NONE)
"""The reader's classes, in the order of its outputs."""

DECKS = {"french": FRENCH, "uno": UNO}
"""The faces of the decks known without enrolment."""

ANY = "any"
"""Stands for a deck of which nothing is known yet: any face that the reader has a name for."""
