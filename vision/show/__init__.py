"""How do people get to see what the camera and the eye saw?"""
