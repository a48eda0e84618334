"""What can go wrong in the vision room that a user can do something about?"""

from models.faults import Fault


class VisionError(Fault):
    """A picture, a camera, a deck or the weights of the eye cannot be used."""
