"""A virtual card table: acts in, pictures, sound and the exact truth out."""
