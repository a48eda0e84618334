"""How are the shipped weights made from the shared data? Run the modules here with `python -m vision.training.…`."""
