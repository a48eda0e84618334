"""Sound in, what was just said out, and the referee's own voice; knows nothing of rules."""
