"""How does a family see and steer the match? A small web application on the table's own machine."""

from referee.dashboard.server import Dashboard, serve

__all__ = ["Dashboard", "serve"]
