"""RustOffloadDeviceClippy: clippy on the device side. Made only where asked for."""

load("//offload/private/actions:device.bzl", "run_device_pass")
load("//offload/private/compat:rules_rust.bzl", "clippy_flags")

def device_clippy_action(ctx, side):
    """Lints the crate as it is compiled for a GPU. rules_rust's aspect only sees the host side.

    Args:
        ctx: (ctx) of a rule with DEVICE_ATTRS.
        side: (struct) from `device_side`.

    Returns:
        (File) an empty file. Making it fails if clippy finds something.
    """
    ok = ctx.actions.declare_file("clippy.ok", sibling = side.image)
    run_device_pass(
        ctx,
        side,
        outputs = [ok],
        mnemonic = "RustOffloadDeviceClippy",
        progress_message = "Linting the kernels of %{label} for " + side.arch,
        env = {"CLIPPY_CONF_DIR": "${{pwd}}/{}".format(ctx.file._clippy_config.dirname)},
        flags = ["--emit=metadata"] + clippy_flags(ctx),
        inputs = [ctx.file._clippy_config],
        tool = side.clippy_driver,
        touches = ok,
    )
    return ok
