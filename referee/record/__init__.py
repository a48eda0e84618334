"""What is written down of a match, and what does reading it give?"""
