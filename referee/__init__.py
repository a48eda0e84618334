"""Rules, rulings, the match record, the dashboard and the command line."""

__version__ = "0.1.0"
