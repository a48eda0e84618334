"""What can go wrong in the vision room that a user can do something about?"""


class VisionError(Exception):
    """One whole line for the user: what failed, and the remedy."""
