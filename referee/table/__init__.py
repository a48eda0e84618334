"""How does a live or recorded table reach the match, and what does it hear back?"""
