"""Which cards are in this one picture, and where?"""
