"""Reads the index of a Rust dist server: `dist/<date>/channel-rust-nightly.toml`, rustup's manifest of version 2."""

HOST_TRIPLE = "x86_64-unknown-linux-gnu"

# What toolchains are made of -> its names in the index. rustup keeps the suffix `-preview` in the names of components
# that are not stable yet, and some drop it at some time.
COMPONENTS = {
    "clippy": ["clippy-preview", "clippy"],
    "llvm-tools": ["llvm-tools-preview", "llvm-tools"],
    "offload": ["offload-preview", "offload"],
    "rust-src": ["rust-src"],
    "rust-std": ["rust-std"],
    "rustc": ["rustc"],
    "rustfmt": ["rustfmt-preview", "rustfmt"],
}

# Programs that a distribution may lack, and that a rust_toolchain has to name before anybody knows whether they will be run.
OPTIONAL_PROGRAMS = ["clippy-driver", "rustdoc"]

# The target of components that are the same for all.
_ANY_TARGET = "*"

def parse_channel(text):
    """Reads the part of a channel manifest that installing needs.

    Only the tables `[pkg.<name>.target.<triple>]` are looked at; the rest of the TOML is skipped.

    Args:
        text: (str) the manifest.

    Returns:
        (dict[(package, triple), dict[str, str]]) the keys of each table, unquoted.
    """
    tables = {}
    table = {}
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith("["):
            table = {}
            parts = line.strip("[]").replace("\"", "").split(".")
            if len(parts) == 4 and parts[0] == "pkg" and parts[2] == "target":
                tables[(parts[1], parts[3])] = table
        elif "=" in line:
            key, _, value = line.partition("=")
            table[key.strip()] = value.strip().strip("\"")
    return tables

def find_component(channel, component, triple):
    """Finds the archive of a component.

    Args:
        channel: (dict) from `parse_channel`.
        component: (str) a key of COMPONENTS.
        triple: (str) the host.

    Returns:
        (struct(path, sha256, strip_prefix), None), path being relative to the dist server; or (None, error).
    """
    for package in COMPONENTS[component]:
        for target in (triple, _ANY_TARGET):
            table = channel.get((package, target))
            if not table or table.get("available") != "true":
                continue
            url = table.get("xz_url") or table.get("url")
            sha256 = table.get("xz_hash") or table.get("hash")
            if not url or not sha256 or "/dist/" not in url:
                return None, "component {} has no archive with a hash".format(package)
            path = url[url.index("/dist/") + 1:]
            archive = path.rpartition("/")[2].partition(".tar")[0]
            folder = package if package != "rust-std" else "rust-std-" + triple
            return struct(
                path = path,
                sha256 = sha256,
                strip_prefix = archive + "/" + folder,
            ), None
    return None, "component {} for {} is missing or not available".format(component, triple)

def parse_target_cpus(text):
    """Reads what `rustc --print target-cpus` prints.

    Args:
        text: (str) the output: a heading, then an indented name on each line, perhaps with a remark.

    Returns:
        (list[str]) the names.
    """
    return [line.strip().partition(" ")[0] for line in text.split("\n") if line.startswith(" ") and line.strip()]

def parse_version(text):
    """Reads what `rustc -vV` prints.

    Args:
        text: (str) the output.

    Returns:
        (struct(rustc, llvm), None), both as printed, or (None, error).
    """
    lines = text.strip().split("\n")
    fields = {}
    for line in lines[1:]:
        key, _, value = line.partition(": ")
        fields[key] = value
    if "LLVM version" not in fields:
        return None, "rustc -vV prints no LLVM version"
    return struct(rustc = lines[0], llvm = fields["LLVM version"]), None
