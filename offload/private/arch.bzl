"""GPU arches: the spelling that is accepted, the triple each belongs to, and what to suggest for an unknown one."""

AMDGCN = "amdgcn-amd-amdhsa"
NVPTX64 = "nvptx64-nvidia-cuda"

DEVICE_TRIPLES = [AMDGCN, NVPTX64]

_MAX_NEAR_NAMES = 8

def _is_all_of(text, alphabet):
    for char in text.elems():
        if char not in alphabet:
            return False
    return bool(text)

def _is_gfx(arch):
    return arch.startswith("gfx") and _is_all_of(arch[len("gfx"):], "0123456789abcdef")

def _is_sm(arch):
    digits = arch[len("sm_"):]
    if digits[-1:].islower():
        digits = digits[:-1]
    return arch.startswith("sm_") and _is_all_of(digits, "0123456789")

def parse_arch(arch):
    """Finds the triple of a GPU arch by the arch's spelling.

    There is no list of GPU models here: a new GPU needs no new release of these rules. Whether the compiler knows
    the arch is asked of the compiler, see `check_known`.

    Args:
        arch: (str) rustc's `-Ctarget-cpu`, such as `gfx90a` or `sm_90`.

    Returns:
        (struct(arch, triple), None), or (None, error).
    """
    if _is_gfx(arch):
        return struct(arch = arch, triple = AMDGCN), None
    if _is_sm(arch):
        return struct(arch = arch, triple = NVPTX64), None
    return None, (
        "\"{}\" is not a GPU arch. ".format(arch) +
        "An arch is gfx[0-9a-f]+ for AMD or sm_[0-9]+[a-z]? for NVIDIA. " +
        "Write for example archs = [\"gfx90a\"] or --config=sm_90."
    )

def _edit_distance(a, b):
    """The number of characters to insert, delete or replace (Levenshtein)."""
    row = range(len(b) + 1)
    for i in range(len(a)):
        next_row = [i + 1]
        for j in range(len(b)):
            next_row.append(min(
                row[j] + (0 if a[i] == b[j] else 1),
                row[j + 1] + 1,
                next_row[j] + 1,
            ))
        row = next_row
    return row[len(b)]

def near_names(arch, known):
    """The known arches that look most like `arch`, best first.

    Args:
        arch: (str) what the user wrote.
        known: (list[str]) the arches that rustc knows for the triple.

    Returns:
        (list[str]) at most eight names.
    """
    ranked = sorted([(_edit_distance(arch, name), name) for name in known])
    return [name for _, name in ranked[:_MAX_NEAR_NAMES]]

def check_known(arch, triple, known):
    """Checks that the compiler knows an arch.

    LLVM only warns about a cpu that it does not know, and goes on with another one.

    Args:
        arch: (str) the arch.
        triple: (str) its device triple.
        known: (list[str]) what `rustc --print target-cpus --target <triple>` printed.

    Returns:
        None, or an error.
    """
    if arch in known:
        return None
    return "rustc does not know the arch \"{}\" for {}. Near names that it knows: {}. Write one of them in archs or --config.".format(
        arch,
        triple,
        ", ".join(near_names(arch, known)),
    )

def _specificity(parsed):
    """A sort key: NVIDIA's newer arches first, and of one number those that only it has features of."""
    if parsed.triple == AMDGCN:
        return (parsed.triple, 0, "", parsed.arch)
    digits = parsed.arch[len("sm_"):]
    suffix = digits[-1] if digits[-1].islower() else ""
    number = int(digits[:-1] if suffix else digits)

    # `a` is for this arch alone, `f` for its family.
    return (parsed.triple, -number, suffix or "z", parsed.arch)

def order_archs(archs):
    """Puts arches into the order of their images.

    The offload runtime takes the first image that a device can load, and a newer NVIDIA GPU can load older code.

    Args:
        archs: (list[struct(arch, triple)]) from `parse_arch`.

    Returns:
        (list[struct(arch, triple)]) the most specific one first.
    """
    return sorted(archs, key = _specificity)
