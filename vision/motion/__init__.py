"""Does anything move in the picture, or did the camera itself?"""
