"""What became of the discard pile, from one picture to the next?"""
