"""The transitions between the sides: into the host side, from it to the device side, and to the device's core."""

load("//offload/private:arch.bzl", "NVPTX64", "parse_arch")
load("//offload/private:arch_option.bzl", "ARCH_OPTIONS", "arch_option")
load("//offload/private:settings.bzl", "split_archs")
load("//offload/private/compat:rules_rust.bzl", "RUSTC_SETTINGS", "RUST_SETTINGS_THAT_KEEP_BITCODE")

_ARCHS = "//offload/settings:archs"
_COMPILATION_MODE = "//command_line_option:compilation_mode"
_DEVICE_COMPILATION_MODE = "//offload/settings:device_compilation_mode"
_OFFLOAD_RUSTC = "//offload/private:offload_rustc"
_PLATFORMS = "//command_line_option:platforms"

# Toolchains named here come before all that any module registered: a repository that registers a Rust toolchain of its
# own keeps it for everything else, and gets ours for offload targets and what they depend on.
_EXTRA_TOOLCHAINS = "//command_line_option:extra_toolchains"
_OFFLOAD_TOOLCHAINS = str(Label("@rust_offload_toolchains//:all"))

def archs_of(attr, flag):
    """The arches of a target: its own, or those of the flag.

    Args:
        attr: (struct) the attributes of the target, with `archs`.
        flag: (list[str]) the value of `//offload/settings:archs`.

    Returns:
        (list[str]) the arches as written.
    """
    return attr.archs or split_archs(flag)

def _host_impl(settings, _attr):
    others = [toolchains for toolchains in settings[_EXTRA_TOOLCHAINS] if str(toolchains) != _OFFLOAD_TOOLCHAINS]
    return RUST_SETTINGS_THAT_KEEP_BITCODE | {
        # The last one comes first.
        _EXTRA_TOOLCHAINS: others + [_OFFLOAD_TOOLCHAINS],
        _OFFLOAD_RUSTC: True,
    }

host_transition = transition(
    implementation = _host_impl,
    inputs = [_EXTRA_TOOLCHAINS],
    outputs = RUST_SETTINGS_THAT_KEEP_BITCODE.keys() + [_EXTRA_TOOLCHAINS, _OFFLOAD_RUSTC],
)

def _triple(arch):
    parsed, _error = parse_arch(arch)

    # The rule reports an arch that cannot be parsed; any platform will do until then.
    return parsed.triple if parsed else NVPTX64

def _device_impl(settings, attr):
    return {
        arch: RUST_SETTINGS_THAT_KEEP_BITCODE | {option: [arch_option(arch)] for option in ARCH_OPTIONS} | {
            # What the command line adds to crates is meant for the host side.
            RUSTC_SETTINGS.flag: [],
            RUSTC_SETTINGS.flags: [],
            RUSTC_SETTINGS.per_crate_flag: [],
            _COMPILATION_MODE: settings[_DEVICE_COMPILATION_MODE],
            _OFFLOAD_RUSTC: True,
            _PLATFORMS: [str(Label("//offload/platforms:" + _triple(arch)))],
        }
        for arch in archs_of(attr, settings[_ARCHS])
    }

device_transition = transition(
    implementation = _device_impl,
    inputs = [_ARCHS, _DEVICE_COMPILATION_MODE],
    outputs = RUST_SETTINGS_THAT_KEEP_BITCODE.keys() + ARCH_OPTIONS + [
        RUSTC_SETTINGS.flag,
        RUSTC_SETTINGS.flags,
        RUSTC_SETTINGS.per_crate_flag,
        _COMPILATION_MODE,
        _OFFLOAD_RUSTC,
        _PLATFORMS,
    ],
)

def _nvidia_impl(_settings, _attr):
    return {_PLATFORMS: [str(Label("//offload/platforms:" + NVPTX64))]}

nvidia_transition = transition(
    implementation = _nvidia_impl,
    inputs = [],
    outputs = [_PLATFORMS],
)
