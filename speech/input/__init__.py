"""Where does sound come from, and is it good enough to be understood?"""
