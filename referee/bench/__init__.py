"""How fast and how right is the referee on this machine?"""
