"""A repository that holds one rustc distribution with offload, laid out as rustup would."""

# buildifier: disable=bzl-visibility
load("//offload/private:arch.bzl", "DEVICE_TRIPLES")

# buildifier: disable=bzl-visibility
load("//offload/private:dialect.bzl", "find_dialect")
load(":channel.bzl", "OPTIONAL_PROGRAMS", "parse_target_cpus", "parse_version")
load(":dist_server.bzl", "DIST_SERVER_ATTRS", "fetch_components", "pinned_metadata")
load(":libraries.bzl", "link_folder")

_BUILD = """\
load({distribution_bzl}, "rust_offload_distribution")

package(default_visibility = ["//visibility:public"])

rust_offload_distribution(
    name = "offload",
    dialect = {dialect},
    known_archs = {known_archs},
    llvm_version = {llvm_version},
    runtime = {runtime},
    rustc_version = {rustc_version},
)
"""

def _link(rctx):
    """Links a distribution that is there. Returns None, or an error."""
    root = rctx.path(rctx.attr.path)

    # What is known of it is asked again when another rustc is put there.
    rctx.watch(root.get_child("bin", "rustc"))
    if not root.get_child("bin", "rustc").exists:
        return "path is no rustc distribution. There is no bin/rustc in {}. Write offload.rust(path = \"<folder that has bin and lib>\").".format(root)
    link_folder(rctx, root)
    return None

def _run(rctx, arguments):
    # Nothing of the caller's environment, so that the answer depends on the compiler alone.
    return rctx.execute([rctx.path("bin/rustc")] + arguments, environment = {"LD_LIBRARY_PATH": "", "RUSTC_BOOTSTRAP": "0"})

def _rustc(rctx, arguments):
    result = _run(rctx, arguments)
    if result.return_code:
        fail("{}: rustc does not run here. `rustc {}` ends with status {} and says: {}{} Write offload.rust({}).".format(
            rctx.name,
            " ".join(arguments),
            result.return_code,
            result.stdout,
            result.stderr,
            "path = \"<folder whose bin/rustc runs on this machine>\"" if rctx.attr.path else "path = \"<folder of a rustc that was built for this machine>\"",
        ))
    return result.stdout

_MISSING = """\
#!/bin/sh
echo "{repository}: the rustc distribution has no {program}. There is no bin/{program} in {place}. Write offload.rust(...) with one that has it." >&2
exit 1
"""

def _stand_in(rctx, program):
    """Writes what says that a program is missing, where it is."""
    if not rctx.path("bin/" + program).exists:
        rctx.file("missing/" + program, _MISSING.format(
            place = rctx.attr.path or "the nightly " + rctx.attr.nightly,
            program = program,
            repository = rctx.name,
        ))

def _impl(rctx):
    if rctx.attr.path:
        error = _link(rctx)
    else:
        # clippy is taken where it is there: rules_rust's clippy rules look for it in the toolchain.
        error = fetch_components(rctx, ["rustc", "rust-std", "rust-src", "offload"], optional = ["clippy"])
    if error:
        fail("{}: {}".format(rctx.name, error))
    for program in OPTIONAL_PROGRAMS:
        _stand_in(rctx, program)
    version, error = parse_version(_rustc(rctx, ["-vV"]))
    if error:
        fail("{}: {}".format(rctx.name, error))

    # A stable rustc refuses -Z, which tells enough.
    dialect, error = find_dialect(version.rustc, _run(rctx, ["-Zhelp"]).stdout)
    if error:
        fail("{}: {}".format(rctx.name, error))
    rctx.file("BUILD.bazel", _BUILD.format(
        dialect = repr(dialect),
        distribution_bzl = repr(str(Label("//toolchains/rust:distribution.bzl"))),
        known_archs = repr({
            triple: parse_target_cpus(_rustc(rctx, ["--print=target-cpus", "--target=" + triple]))
            for triple in DEVICE_TRIPLES
        }),
        llvm_version = repr(version.llvm),
        runtime = repr(str(rctx.attr.runtime) if rctx.attr.runtime else ":runtime"),
        rustc_version = repr(version.rustc),
    ))
    return pinned_metadata(rctx, rctx.attr.channel_sha256 and not rctx.attr.path)

rust_offload_repository = repository_rule(
    implementation = _impl,
    doc = "Downloads a nightly rustc with its offload component from a dist server, or links one that is there.",
    attrs = DIST_SERVER_ATTRS | {
        "path": attr.string(doc = "A folder with an unpacked distribution, used instead of a download."),
        "runtime": attr.label(doc = "The offload runtime, if it is not to be the distribution's."),
    },
    environ = ["RUSTUP_DIST_SERVER"],
)
