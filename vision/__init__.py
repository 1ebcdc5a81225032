"""The eye: pictures of the felt in, facts out."""
