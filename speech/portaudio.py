"""How are the host's sound devices reached, by the microphone and the loudspeaker alike?"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from speech.faults import SpeechError

if TYPE_CHECKING:
    from types import ModuleType

IN_USE = threading.Lock()
"""Held while a call is played: starting PortAudio anew would cut it off."""


def portaudio() -> ModuleType:
    """sounddevice, imported when it is needed.

    Raises:
        SpeechError: PortAudio is missing.
    """
    try:
        import sounddevice
    except (OSError, ImportError) as fault:
        raise SpeechError("speech.no-portaudio") from fault
    module: ModuleType = sounddevice
    return module


def look_again(module: ModuleType) -> None:
    """Start PortAudio anew, once no call is being played: it lists devices only when it starts."""
    with IN_USE:
        module._terminate()
        module._initialize()
