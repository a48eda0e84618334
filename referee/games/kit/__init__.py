"""What has every game in common, so that a new one says only what is its own?"""
