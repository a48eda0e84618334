"""Which synthetic tables are rendered, to train on and to show?"""
