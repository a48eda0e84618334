"""What can go wrong with sound, said so that whoever reads it knows what to do."""

from models.faults import Fault


class SpeechError(Fault):
    """A sound file, a microphone, a recogniser or a voice failed."""
