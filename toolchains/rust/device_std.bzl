"""core, alloc and compiler_builtins for a GPU, built from rust-src: no distribution has them for AMD (tier 3)."""

# buildifier: disable=bzl-visibility
load("//offload/private:arch_option.bzl", "configured_arch")

# buildifier: disable=bzl-visibility
load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")

# buildifier: disable=bzl-visibility
load("//offload/private/compat:rules_rust.bzl", "RUSTC_SETTINGS", "RUST_SETTINGS_THAT_KEEP_BITCODE")

# Settings that could tell two builds for the same arch apart, though the standard library depends on none of them. Bazel
# derives output paths from what differs from the command line, so a value that no command line has gives one path for all
# of them. Settings that are not named here keep the value of the command line, and do not show in paths either.
_NORMAL = {
    setting: ["rust_offload_device_std"]
    for setting in [
        RUSTC_SETTINGS.flag,
        RUSTC_SETTINGS.flags,
        RUSTC_SETTINGS.per_crate_flag,
        "//command_line_option:features",
        "//offload/settings:archs",
    ]
} | RUST_SETTINGS_THAT_KEEP_BITCODE | {"//command_line_option:compilation_mode": "opt"}

_normal_transition = transition(
    implementation = lambda _settings, _attr: _NORMAL,
    inputs = [],
    outputs = _NORMAL.keys(),
)

def _root(ctx, crate_root):
    for file in ctx.files.srcs:
        if file.path.endswith("/library/" + crate_root):
            return file
    fail("{}: rust-src lacks {}. Found {} files. Add the component rust-src to the distribution.".format(
        ctx.label,
        crate_root,
        len(ctx.files.srcs),
    ))

def _compile(ctx, crate, crate_root, folders, deps = [], features = []):
    """Returns the rlib (File) of one crate of the standard library, whose sources are in these folders."""
    arch = configured_arch(ctx)
    root = _root(ctx, crate_root)
    library = root.path[:-len(crate_root)]
    places = tuple([library + folder + "/" for folder in folders])
    rlib = ctx.actions.declare_file("{}/lib/rustlib/{}/lib/lib{}.rlib".format(ctx.label.name, ctx.attr.triple, crate))
    args = ctx.actions.args()
    args.add(root)
    args.add(crate, format = "--crate-name=%s")
    args.add("--crate-type=rlib")
    args.add("--edition=2024")
    args.add(ctx.attr.triple, format = "--target=%s")
    args.add(arch, format = "-Ctarget-cpu=%s")
    args.add("-Copt-level=3")
    args.add("-Cpanic=abort")

    # The Device pass links with fat LTO.
    args.add("-Cembed-bitcode=yes")

    # As for all crates that rustc itself brings along: their unstable parts need no feature gates in each other.
    args.add("-Zforce-unstable-if-unmarked")
    args.add("--cap-lints=allow")

    # Tells crates of the standard library apart from a user's crates of the same name.
    args.add(crate, format = "-Cmetadata=rust-offload-%s")

    # Panic messages name files, and where the compiler lies must not be seen in them, nor where Bazel runs this: the bytes
    # would be those of one checkout. (The first is an option of -Z, since Starlark cannot know the folder.)
    args.add("-Zremap-cwd-prefix=")
    args.add("--remap-path-prefix={}=library/".format(library))
    args.add_all(features, before_each = "--cfg", format_each = "feature=\"%s\"")
    for name, dep in deps:
        args.add(dep, format = "--extern=noprelude:{}=%s".format(name))
    args.add_all([dep for _, dep in deps], map_each = _dirname, format_each = "-Ldependency=%s", uniquify = True)
    args.add("-Zunstable-options")
    args.add(rlib, format = "--emit=link=%s")
    ctx.actions.run(
        executable = ctx.file.rustc,
        arguments = [args],
        # A worker is sent what this crate is made of, not all of rust-src.
        inputs = [file for file in ctx.files.srcs if file.path.startswith(places)] + [dep for _, dep in deps],
        tools = ctx.files.rustc_files,
        outputs = [rlib],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = "RustDeviceStd",
        progress_message = "Compiling Rust's {} for {}".format(crate, arch),
    )
    return rlib

def _dirname(file):
    return file.dirname

def _impl(ctx):
    core = _compile(ctx, "core", "core/src/lib.rs", ["core", "portable-simd", "stdarch"])
    compiler_builtins = _compile(
        ctx,
        "compiler_builtins",
        "compiler-builtins/compiler-builtins/src/lib.rs",
        ["compiler-builtins"],
        deps = [("core", core)],
        # `mem`: memcpy and its like, which no C library brings along on a GPU.
        features = ["compiler-builtins", "mem", "arch", "unmangled-names"],
    )
    alloc = _compile(
        ctx,
        "alloc",
        "alloc/src/lib.rs",
        ["alloc"],
        deps = [("core", core), ("compiler_builtins", compiler_builtins)],
    )
    return [DefaultInfo(files = depset([core, compiler_builtins, alloc]))]

device_std = rule(
    implementation = _impl,
    doc = "core, compiler_builtins and alloc for one device triple. Built once for each compiler and arch.",
    attrs = {
        "rustc": attr.label(
            allow_single_file = True,
            cfg = "exec",
            doc = "The compiler.",
            mandatory = True,
        ),
        "rustc_files": attr.label_list(
            allow_files = True,
            cfg = "exec",
            doc = "What the compiler needs to run.",
        ),
        "srcs": attr.label_list(
            allow_files = True,
            doc = "The component rust-src.",
            mandatory = True,
        ),
        "triple": attr.string(
            doc = "The device triple.",
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    cfg = _normal_transition,
    fragments = ["cpp"],
)
