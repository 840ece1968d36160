"""What rust-analyzer is told of the device side, in the form of rules_rust's `rust_analyzer_crate_spec` files."""

load("//offload/private/compat:rules_rust.bzl", "RUST_ANALYZER_ROOTS")

def _crate_id(root):
    # As rules_rust's aspect names the crates of the host side.
    return "ID-" + root.path

def device_crate_spec_action(ctx, dialect, sources, host, triple):
    """Describes the crate once more, as it is on the device side.

    rules_rust's `gen_rust_project` describes the host side of a target and takes every file of this name. With the second
    crate modules that only the device side has are known to rust-analyzer, and code under `cfg(offload_device)` is code.

    Args:
        ctx: (ctx) of a rule with CRATE_ATTRS and DEVICE_ATTRS.
        dialect: (struct) from dialect.bzl.
        sources: (struct) from `crate_sources`.
        host: (struct) the host side's graph, from `crate_graph`: both sides name their common libraries by its crates.
        triple: (str) of one of the arches.

    Returns:
        (File)
    """
    spec = ctx.actions.declare_file(ctx.label.name + ".device.rust_analyzer_crate_spec.json")
    root = RUST_ANALYZER_ROOTS.workspace if sources.root.is_source else RUST_ANALYZER_ROOTS.exec_root
    ctx.actions.write(
        output = spec,
        content = json.encode_indent({
            "aliases": {},
            "cfg": ["feature=\"{}\"".format(feature) for feature in ctx.attr.crate_features + ctx.attr.device_crate_features] + dialect.device_cfgs + [
                flag[len("--cfg="):]
                for flag in ctx.attr.device_rustc_flags
                if flag.startswith("--cfg=")
            ],
            "crate_id": _crate_id(sources.root) + "-device",
            "crate_type": "lib",
            "deps": [_crate_id(crate.dep.root) for crate in host.dep_info.direct_crates.to_list()],
            "display_name": sources.name,
            "edition": sources.edition,
            "env": {},
            "is_test": False,
            "is_workspace_member": not sources.root.path.startswith("external/"),
            "root_module": root + sources.root.path,
            "source": {"exclude_dirs": [], "include_dirs": []},
            "target": triple,
        }),
    )
    return spec
