"""What do hands do on the table: whose are they, what do they take, at whom do they point?"""
