"""What was just said at the table, and was it somebody at the table who said it?"""
