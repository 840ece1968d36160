"""What users write becomes the attributes of a rule, for the host and for the device."""

# With neither the flag nor the attribute there is nothing to build: `bazel build //...` skips the target.
_NEEDS_AN_ARCH = select({
    Label("//offload/settings:has_arch"): [],
    "//conditions:default": [Label("//offload/settings:an_arch")],
})

# What the toolchains run on, and build for.
_HOST = [
    Label("@platforms//cpu:x86_64"),
    Label("@platforms//os:linux"),
]

_LLVM = Label("//toolchains/llvm:current_toolchain")

def _llvm(archs):
    """The LLVM toolchain, if its programs embed the images: nothing else needs it."""
    if archs and len(archs) > 1:
        return _LLVM
    needs_llvm = Label("//offload/settings:embed_by_llvm" if archs else "//offload/settings:needs_llvm")
    return select({
        needs_llvm: _LLVM,
        "//conditions:default": None,
    })

def _refuse_repeated(name, deps, attribute, labels):
    # A select cannot be looked into here; Bazel itself refuses a repeated label, if less clearly.
    if type(deps) != type([]) or type(labels) != type([]):
        return
    for label in labels:
        if label in deps:
            fail("//{0}:{1}: {2} is both in deps and in {3}. deps are built for both sides. Remove it from {3}.".format(
                native.package_name(),
                name,
                label,
                attribute,
            ))

def sides(name, archs, deps, host_deps, device_deps, target_compatible_with):
    """The attributes of a rule that differ from what users write.

    Args:
        name: (str) the name of the target.
        archs: (list[str] or None) the arches to build for.
        deps: (list[label]) libraries for both sides.
        host_deps: (list[label]) libraries for the host side only.
        device_deps: (list[label]) libraries for the device side only.
        target_compatible_with: (list[label])

    Returns:
        (dict[str, object])
    """
    _refuse_repeated(name, deps, "host_deps", host_deps)
    _refuse_repeated(name, deps, "device_deps", device_deps)
    return {
        "archs": archs,
        "deps": deps + host_deps,
        "device_deps": deps + device_deps,
        "llvm": _llvm(archs),
        "target_compatible_with": target_compatible_with + _HOST + (_NEEDS_AN_ARCH if archs == None else []),
    }
