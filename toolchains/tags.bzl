"""Which tag of the module extension counts, and whether it makes sense."""

load("//toolchains/rust:date.bzl", "parse_date")
load("//toolchains/rust:scheme.bzl", "check_scheme")

# The types of the tags' attributes.
_TYPES = [type(True), type(""), "Label"]

def _text(name, tag):
    """A tag as its author wrote it."""
    values = []
    for attribute in dir(tag):
        value = getattr(tag, attribute)
        if value and type(value) in _TYPES:
            values.append("{} = {}".format(attribute, repr(str(value) if type(value) == "Label" else value)))
    return "offload.{}({})".format(name, ", ".join(values))

def choose_tag(name, modules):
    """Finds the one tag of a class that decides.

    The root module decides. Where it says nothing, the modules that it depends on have to agree.

    Args:
        name: (str) the class of the tags, such as `rust`.
        modules: (list[struct(name, is_root, tags)]) in Bazel's order; `tags` are those of the class.

    Returns:
        (tag or None, None), or (None, error).
    """
    found = [(module, tag) for module in modules for tag in module.tags if module.is_root]
    if not found:
        found = [(module, tag) for module in modules for tag in module.tags]
    if not found:
        return None, None
    module, tag = found[0]
    is_root = module.is_root
    for other_module, other in found[1:]:
        if is_root or _text(name, tag) != _text(name, other):
            return None, "offload.{0}: there must be one tag. Found {1} in the module \"{2}\" and {3} in the module \"{4}\". Write one offload.{0}(...) in the root module; it decides.".format(
                name,
                _text(name, tag),
                module.name,
                _text(name, other),
                other_module.name,
            )
    return tag, None

def _at_most_one(name, tag, attributes):
    given = [attribute for attribute in attributes if getattr(tag, attribute)]
    if len(given) > 1:
        return "offload.{}: {} exclude each other. Found {}. Write one of them.".format(
            name,
            " and ".join(given),
            _text(name, tag),
        )
    return None

def _absolute(name, tag):
    """A relative path would be looked for in Bazel's own folders."""
    if tag.path and not tag.path.startswith("/"):
        return "offload.{}: path is not absolute. Found \"{}\". Write path = \"/<folder>\".".format(name, tag.path)
    return None

def _sha256(name, tag):
    if tag.sha256 and (len(tag.sha256) != 64 or tag.sha256.strip("0123456789abcdef")):
        return "offload.{}: sha256 is no SHA-256. Found \"{}\". Write sha256 = \"<64 digits and letters from a to f>\".".format(name, tag.sha256)
    return None

# What Bazel can unpack; a wheel is a zip archive.
_ARCHIVES = [".whl", ".zip", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst", ".tzst", ".tar.bz2", ".tbz"]

def check_rust_tag(tag):
    """Checks what offload.rust says.

    Args:
        tag: (struct) with the attributes of the tag.

    Returns:
        None, or an error.
    """
    for attribute in ["dist_server", "sha256"]:
        error = _at_most_one("rust", tag, ["path", attribute])
        if error:
            return error
    if not parse_date(tag.nightly):
        return "offload.rust: nightly is no date. Found \"{}\". Write nightly = \"<year>-<month>-<day>\", such as \"2026-09-20\".".format(tag.nightly)
    return _absolute("rust", tag) or _sha256("rust", tag) or check_scheme("offload.rust: dist_server", tag.dist_server)

def check_llvm_tag(tag):
    """Checks what offload.llvm says.

    Args:
        tag: (struct) with the attributes of the tag.

    Returns:
        None, or an error.
    """
    error = _at_most_one("llvm", tag, ["path", "root"])
    if error:
        return error
    if _text("llvm", tag) == "offload.llvm()":
        # In the root module: the tools of the nightly, whatever other modules say.
        return None
    if not tag.path and not tag.root:
        return "offload.llvm: there is no LLVM. Found {}. Write path = \"<folder>\" or root = \"<label of a file in bin>\", or offload.llvm() to take the LLVM tools of the nightly.".format(_text("llvm", tag))
    return _absolute("llvm", tag)

def check_cuda_tag(tag):
    """Checks what offload.cuda says.

    Args:
        tag: (struct) with the attributes of the tag.

    Returns:
        None, or an error.
    """
    for pair in [["path", "ptxas"], ["path", "url"], ["ptxas", "url"]]:
        error = _at_most_one("cuda", tag, pair)
        if error:
            return error
    if not tag.path and not tag.ptxas and not tag.url:
        return "offload.cuda: there is no CUDA. Found {}. Write path = \"<folder>\", ptxas = \"<label>\" or url = \"<archive>\", or remove the tag to look for ptxas on this machine.".format(_text("cuda", tag))
    if bool(tag.url) != bool(tag.sha256):
        return "offload.cuda: url and sha256 need each other. Found {}. Write both.".format(_text("cuda", tag))
    if tag.url and not [end for end in _ARCHIVES if tag.url.endswith(end)]:
        return "offload.cuda: url is no archive that Bazel can unpack. Found \"{}\". Write the url of a file that ends with one of {}.".format(tag.url, " ".join(_ARCHIVES))
    return _absolute("cuda", tag) or _sha256("cuda", tag)
