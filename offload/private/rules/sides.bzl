"""What users write becomes the attributes of a rule, for the host and for the device."""

load("//offload/private:refused_attributes.bzl", "refused_attribute")

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

def _refuse(name, error):
    if error:
        fail("//{}:{}: {}".format(native.package_name(), name, error))

def _repeated(deps, attribute, labels):
    # A select cannot be looked into here; Bazel itself refuses a repeated label, if less clearly.
    if type(deps) != type([]) or type(labels) != type([]):
        return None
    for label in labels:
        if label in deps:
            return "{0} is both in deps and in {1}. deps are built for both sides. Remove it from {1}.".format(label, attribute)
    return None

def device_attributes(name, archs, deps, device_deps, target_compatible_with, others):
    """The attributes of a rule with a device side that differ from what users write.

    Args:
        name: (str) the name of the target.
        archs: (list[str] or None) the arches to build for.
        deps: (list[label]) libraries for both sides.
        device_deps: (list[label]) libraries for the device side only.
        target_compatible_with: (list[label])
        others: (dict[str, object]) the other attributes that were written.

    Returns:
        (dict[str, object])
    """
    _refuse(name, refused_attribute(others) or _repeated(deps, "device_deps", device_deps))
    return others | {
        "archs": archs,
        "device_deps": deps + device_deps,
        "target_compatible_with": target_compatible_with + _HOST + (_NEEDS_AN_ARCH if archs == None else []),
    }

def both_sides(name, archs, deps, host_deps, device_deps, target_compatible_with, others):
    """The same for a rule with two sides.

    Args:
        name: (str) the name of the target.
        archs: (list[str] or None) the arches to build for.
        deps: (list[label]) libraries for both sides.
        host_deps: (list[label]) libraries for the host side only.
        device_deps: (list[label]) libraries for the device side only.
        target_compatible_with: (list[label])
        others: (dict[str, object]) the other attributes that were written.

    Returns:
        (dict[str, object])
    """
    _refuse(name, _repeated(deps, "host_deps", host_deps))
    return device_attributes(name, archs, deps, device_deps, target_compatible_with, others) | {
        "deps": deps + host_deps,
        "llvm": _llvm(archs),
    }
