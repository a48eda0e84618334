"""What truly happened, as far as anybody can tell, and what may be ruled on it.

Games know no doubt and eye and ear only tell what they noticed; between them stands a belief over weighted worlds, each
a state of the game after what may truly have happened. It knows no game (`Refereed` says what it asks of one).
"""
