"""How well and how fast does the ear hear, and does it stay so for hours?"""
