"""How does the command `referee` begin, and how does a fault or Ctrl-C end it?"""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The exit code of a command that was ended with Ctrl-C, as shells know it."""


def main() -> None:
    """Run the command line; a fault that a user can put right is one line on standard error and exit code 2.

    The verbs are imported here, so that Ctrl-C ends the command quietly from its first moment on.
    """
    try:
        from referee.cli.verbs import run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
