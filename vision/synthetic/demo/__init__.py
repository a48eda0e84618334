"""How is the recorded table of `referee demo` made?"""
