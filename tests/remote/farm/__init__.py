"""A remote execution farm and an HTTP cache on the loopback interface."""
