"""Fetches components of a nightly from a Rust dist server, as rustup lays them out."""

load(":channel.bzl", "HOST_TRIPLE", "find_component", "parse_channel")
load(":date.bzl", "nearby_dates")
load(":scheme.bzl", "check_scheme")

_PUBLIC_DIST_SERVER = "https://static.rust-lang.org"

# How far to look for nightlies that have a component, and how many to name.
_NEARBY_DAYS = 7
_NAMED_DATES = 3

# Bazel tries again where a connection fails, but takes one that ends half way for the end of the file.
_TRIES = 2

DIST_SERVER_ATTRS = {
    "channel_sha256": attr.string(doc = "The SHA-256 of the channel's index; empty: the server is trusted with it."),
    "dist_server": attr.string(doc = "The root of a dist server; default is $RUSTUP_DIST_SERVER, else the public one."),
    "nightly": attr.string(doc = "The date of the nightly, such as `2026-09-20`."),
}

def _server(rctx):
    return (rctx.attr.dist_server or rctx.getenv("RUSTUP_DIST_SERVER") or _PUBLIC_DIST_SERVER).rstrip("/")

def _index_url(rctx, date):
    return "{}/dist/{}/channel-rust-nightly.toml".format(_server(rctx), date)

def _fetch_index(rctx, date, sha256 = ""):
    """Returns the tables of an index, or None if it cannot be fetched."""
    if not rctx.download(_index_url(rctx, date), "channel.toml", sha256 = sha256, allow_fail = True).success:
        return None
    tables = parse_channel(rctx.read("channel.toml"))
    rctx.delete("channel.toml")
    return tables

def _is_plain_http(rctx):
    # Bazel fetches over http:// only what has a hash.
    return _server(rctx).startswith("http://")

def _index(rctx):
    """Returns (tables of the index, None), or (None, error)."""
    date = rctx.attr.nightly
    sha256 = rctx.attr.channel_sha256
    error = check_scheme("RUSTUP_DIST_SERVER", _server(rctx))
    if error:
        return None, error
    if _is_plain_http(rctx) and not sha256:
        return None, "the index of the nightly {} has no hash, and Bazel fetches nothing over http:// without one. Found the dist server {}. Write offload.rust(sha256 = \"<SHA-256 of {}>\"), or a server with https://.".format(
            date,
            _server(rctx),
            _index_url(rctx, date),
        )
    channel = _fetch_index(rctx, date, sha256)
    if channel != None:
        return channel, None
    return None, "the index of the nightly {} cannot be fetched. Looked for {}{}; Bazel's warning above says what it found. Write offload.rust(nightly = \"<date>\"{}) with a date that the server has, or {}.".format(
        date,
        _index_url(rctx, date),
        " with SHA-256 " + sha256 if sha256 else "",
        ", sha256 = \"<its hash>\"" if sha256 else "",
        "another dist_server" if rctx.attr.dist_server else "set RUSTUP_DIST_SERVER",
    )

def _dates_with(rctx, names):
    """The nearest dates whose nightlies have all of these components, as the end of a sentence."""
    if _is_plain_http(rctx):
        return "other dates cannot be looked up over http://"
    dates = []
    for date in nearby_dates(rctx.attr.nightly, _NEARBY_DAYS):
        channel = _fetch_index(rctx, date)
        if channel and not [name for name in names if find_component(channel, name, HOST_TRIPLE)[1]]:
            dates.append(date)
        if len(dates) == _NAMED_DATES:
            break
    if not dates:
        return "no nightly of the {} days before and after has it on that server".format(_NEARBY_DAYS)
    return "nearest dates that have it: " + ", ".join(dates)

def _find(rctx, channel, names, optional):
    """Returns (dict of components by name, None), or (None, error)."""
    components = {}
    for name in names + optional:
        component, error = find_component(channel, name, HOST_TRIPLE)
        if component:
            components[name] = component
        elif name in names:
            return None, "the nightly {} cannot be used: {}. Looked in {}; {}. Write offload.rust(nightly = \"<date>\") with another date.".format(
                rctx.attr.nightly,
                error,
                _index_url(rctx, rctx.attr.nightly),
                _dates_with(rctx, names),
            )
    return components, None

def _unpack(rctx, name, component):
    """Lays a component over what is there. Returns None, or an error."""
    url = "{}/{}".format(_server(rctx), component.path)
    for _ in range(_TRIES):
        if rctx.download_and_extract(
            url,
            sha256 = component.sha256,
            stripPrefix = component.strip_prefix,
            allow_fail = True,
        ).success:
            # What rust-installer left for its uninstaller.
            rctx.delete("manifest.in")
            return None
    return "component {} of the nightly {} cannot be fetched. Looked for {} with SHA-256 {}; Bazel's warning above says what it found. Try again, or write offload.rust(dist_server = \"<url>\") with a server that has it.".format(
        name,
        rctx.attr.nightly,
        url,
        component.sha256,
    )

def fetch_components(rctx, names, optional = []):
    """Unpacks components over each other into the repository, as rustup does.

    Args:
        rctx: (repository_ctx) of a rule with DIST_SERVER_ATTRS.
        names: (list[str]) keys of COMPONENTS that must be there.
        optional: (list[str]) keys of COMPONENTS that are taken if they are there.

    Returns:
        None, or (str) an error.
    """
    channel, error = _index(rctx)
    if error:
        return error

    # All of them are looked up before the first is fetched.
    components, error = _find(rctx, channel, names, optional)
    if error:
        return error
    for name, component in components.items():
        error = _unpack(rctx, name, component)
        if error:
            return error
    return None

def pinned_metadata(rctx, pinned):
    """Tells Bazel, where it can be told, whether fetching again would bring the same files.

    Args:
        rctx: (repository_ctx)
        pinned: (bool) whether everything that is fetched has a hash.

    Returns:
        What a repository rule returns.
    """
    return rctx.repo_metadata(reproducible = bool(pinned)) if hasattr(rctx, "repo_metadata") else None
