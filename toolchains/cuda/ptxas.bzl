"""What ptxas says of itself, and whether it will do for an arch."""

# offload/private is where messages get their near names from.
# buildifier: disable=bzl-visibility
load("//offload/private:arch.bzl", "near_names")

def parse_ptxas_version(text):
    """Finds the version in what `ptxas --version` prints.

    Args:
        text: (str) with a line such as `Cuda compilation tools, release 12.9, V12.9.86`.

    Returns:
        (str or None) such as `12.9.86`.
    """
    for word in text.replace("\n", " ").split(" "):
        if word.startswith("V") and len(word.split(".")) == 3 and word[1:].replace(".", "").isdigit():
            return word[1:]
    return None

def parse_ptxas_archs(text):
    """Finds the arches in what `ptxas --help` prints.

    Args:
        text: (str) with words such as `'sm_90a'`, the values that `--gpu-name` takes.

    Returns:
        (list[str])
    """
    archs = {
        part: None
        for part in text.split("'")
        if part.startswith("sm_") and part[len("sm_"):].rstrip("af").isdigit()
    }

    # Some versions name an arch for more than one option.
    return archs.keys()

def ptxas_for(arch, cuda):
    """The ptxas for an arch.

    Args:
        arch: (str) such as `sm_90`.
        cuda: (CudaToolchainInfo)

    Returns:
        (File, None), or (None, error).
    """
    if not cuda.ptxas:
        return None, "{} needs ptxas. Found none: {}. {}".format(arch, cuda.missing, cuda.cure)
    if arch not in cuda.archs:
        return None, "ptxas does not know {}. Found ptxas {} in {}; near arches that it knows: {}. Write offload.cuda(path = \"<folder of a CUDA that knows {}>\") in MODULE.bazel.".format(
            arch,
            cuda.version,
            cuda.label,
            ", ".join(near_names(arch, cuda.archs)),
            arch,
        )
    return cuda.ptxas, None
