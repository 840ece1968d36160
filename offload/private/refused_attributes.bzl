"""Attributes of rules_rust's rules that offload targets cannot have, and what to write instead."""

_REFUSED = {
    "crate": "A test is compiled for both sides. Remove it and write srcs, deps and device_deps; tests may be in modules with #[cfg(test)].",
    "crate_type": "The passes set it. Remove it; a library for C++ or Python is a rust_offload_shared_library.",
    "experimental_use_cc_common_link": "rustc embeds the device images when it links. Remove it.",
    "malloc": "rustc links, and takes the allocator of the crate. Remove it and write #[global_allocator] in the crate, or host_deps = [...] with a library that replaces malloc.",
    "out_binary": "It is for WebAssembly. Remove it.",
    "platform": "The device side's platform follows from the arches. Remove it and write archs = [...], or --platforms for another host.",
}

def refused_attribute(attributes):
    """Looks for an attribute that cannot be.

    Args:
        attributes: (dict[str, object]) what the user wrote.

    Returns:
        None, or an error.
    """
    for name, cure in _REFUSED.items():
        if attributes.get(name) != None:
            return "offload targets have no attribute {}. Found {} = {}. {}".format(name, name, repr(attributes[name]), cure)
    return None
