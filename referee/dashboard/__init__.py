"""How does a family see and steer the match? A small web application on the table's own machine."""

from referee.dashboard.server import DEFAULT_PORT, Dashboard, serve

__all__ = ["DEFAULT_PORT", "Dashboard", "serve"]
