"""Where on this table are the piles and the seats?"""
