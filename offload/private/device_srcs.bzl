"""Which sources the device side sees."""

def check_device_srcs(device_srcs, srcs, root):
    """Checks that the device side can be compiled from some of the sources.

    Args:
        device_srcs: (list[str]) the paths of the device side's sources.
        srcs: (list[str]) the paths of all sources.
        root: (str) the path of the crate's root.

    Returns:
        None, or an error.
    """
    for path in device_srcs:
        if path not in srcs:
            return "device_srcs must be a part of srcs. Found {}, which is not in srcs: {}. Write it in srcs too.".format(
                path,
                ", ".join(srcs),
            )
    if device_srcs and root not in device_srcs:
        return "device_srcs lacks the root of the crate, {}. Found {}. Write device_srcs = [\"{}\", ...].".format(
            root,
            ", ".join(device_srcs),
            root.rpartition("/")[2],
        )
    return None
