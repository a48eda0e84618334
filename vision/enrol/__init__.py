"""How does the eye get to know a deck that nobody drew for it?"""
