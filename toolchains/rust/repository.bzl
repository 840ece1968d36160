"""A repository that holds one rustc distribution with offload, laid out as rustup would."""

# buildifier: disable=bzl-visibility
load("//offload/private:arch.bzl", "DEVICE_TRIPLES")
load(":channel.bzl", "COMPONENTS", "HOST_TRIPLE", "find_component", "parse_channel", "parse_target_cpus", "parse_version")

_PUBLIC_DIST_SERVER = "https://static.rust-lang.org"

_BUILD = """\
load({distribution_bzl}, "rust_offload_distribution")

package(default_visibility = ["//visibility:public"])

rust_offload_distribution(
    name = "offload",
    known_archs = {known_archs},
    llvm_version = {llvm_version},
    rustc_version = {rustc_version},
)
"""

def _download(rctx):
    server = rctx.attr.dist_server or rctx.getenv("RUSTUP_DIST_SERVER") or _PUBLIC_DIST_SERVER
    server = server.rstrip("/")
    index = "{}/dist/{}/channel-rust-nightly.toml".format(server, rctx.attr.nightly)
    if not rctx.download(index, "channel.toml", allow_fail = True).success:
        fail("{}: there is no index of the nightly {}. Looked for {}. Write offload.rust(nightly = \"<date>\") with a date that the server has, or set RUSTUP_DIST_SERVER.".format(
            rctx.name,
            rctx.attr.nightly,
            index,
        ))
    channel = parse_channel(rctx.read("channel.toml"))

    # All of them are looked up before the first is fetched.
    components = []
    for name in COMPONENTS:
        component, error = find_component(channel, name, HOST_TRIPLE)
        components.append(component)
        if error:
            fail("{}: the nightly {} cannot offload: {}. Looked in {}. Write offload.rust(nightly = \"<date>\") with another date.".format(
                rctx.name,
                rctx.attr.nightly,
                error,
                index,
            ))
    for component in components:
        rctx.download_and_extract(
            "{}/{}".format(server, component.path),
            sha256 = component.sha256,
            stripPrefix = component.strip_prefix,
        )
    rctx.delete("manifest.in")
    rctx.delete("channel.toml")

def _link(rctx):
    root = rctx.path(rctx.attr.path)
    if not root.get_child("bin", "rustc").exists:
        fail("{}: path is no rustc distribution. There is no bin/rustc in {}. Write offload.rust(path = \"<folder that has bin and lib>\").".format(
            rctx.name,
            root,
        ))
    for folder in ["bin", "lib"]:
        rctx.symlink(root.get_child(folder), folder)

def _rustc(rctx, arguments):
    # Nothing of the caller's environment, so that the answer depends on the compiler alone.
    result = rctx.execute([rctx.path("bin/rustc")] + arguments, environment = {"LD_LIBRARY_PATH": ""})
    if result.return_code:
        fail("{}: rustc does not run here. `rustc {}` said: {}{}".format(
            rctx.name,
            " ".join(arguments),
            result.stdout,
            result.stderr,
        ))
    return result.stdout

def _impl(rctx):
    if rctx.attr.path:
        _link(rctx)
    else:
        _download(rctx)
    version, error = parse_version(_rustc(rctx, ["-vV"]))
    if error:
        fail("{}: {}".format(rctx.name, error))
    rctx.file("BUILD.bazel", _BUILD.format(
        distribution_bzl = repr(str(Label("//toolchains/rust:distribution.bzl"))),
        known_archs = repr({
            triple: parse_target_cpus(_rustc(rctx, ["--print=target-cpus", "--target=" + triple]))
            for triple in DEVICE_TRIPLES
        }),
        llvm_version = repr(version.llvm),
        rustc_version = repr(version.rustc),
    ))

rust_offload_repository = repository_rule(
    implementation = _impl,
    doc = "Downloads a nightly rustc with its offload component from a dist server, or links one that is there.",
    attrs = {
        "dist_server": attr.string(doc = "The root of a dist server; default is $RUSTUP_DIST_SERVER, else the public one."),
        "nightly": attr.string(doc = "The date of the nightly, such as `2026-09-20`."),
        "path": attr.string(doc = "A folder with an unpacked distribution, used instead of a download."),
    },
    environ = ["RUSTUP_DIST_SERVER"],
)
