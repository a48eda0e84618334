"""What can go wrong with sound, said so that whoever reads it knows what to do."""


class SpeechError(Exception):
    """A sound file, a microphone, a recogniser or a voice failed; the message is one line and names the remedy."""
