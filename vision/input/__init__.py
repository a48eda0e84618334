"""How do pictures get in: from a camera, a film, a photo, or a phone?"""
