"""The wire: bytes of devices in, facts out."""
