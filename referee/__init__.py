"""Rules, rulings, the match record, the dashboard and the command line."""
