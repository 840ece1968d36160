"""Addresses of dist servers."""

_SCHEMES = ["https://", "http://", "file://"]

def check_scheme(what, server):
    """Checks that Bazel can fetch from a server.

    Args:
        what: (str) where the address was written, as the start of a sentence.
        server: (str) the address; empty if there is none.

    Returns:
        None, or an error.
    """
    if not server or [scheme for scheme in _SCHEMES if server.startswith(scheme)]:
        return None
    return "{} has no scheme. Found \"{}\". Write {}.".format(
        what,
        server,
        "file://" + server if server.startswith("/") else "https://<server>, or file:///<folder>",
    )
