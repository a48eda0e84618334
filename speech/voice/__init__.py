"""How does the referee speak?"""
