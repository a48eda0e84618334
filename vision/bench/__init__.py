"""How right and how quick is the eye, and what would another one be?"""
