"""RustOffloadCheckImage, a validation: is the device image what was asked for, and can this LLVM read it?"""

load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")

def check_image_action(ctx, image, llvm_version):
    """Looks at the header of a device image.

    Args:
        ctx: (ctx) of a rule with DEVICE_ATTRS.
        image: (OffloadImageInfo)
        llvm_version: (str) the LLVM of rustc and of the tools that go on with the image.

    Returns:
        (File) a report. Making it fails if something is wrong.
    """
    report = ctx.actions.declare_file("{}.offload/{}/image.txt".format(ctx.label.name, image.arch))
    args = ctx.actions.args()
    args.add("check-image")
    args.add("--image", image.file)
    args.add("--label", str(ctx.label))
    args.add("--triple", image.triple)
    args.add("--arch", image.arch)
    args.add("--llvm", llvm_version)
    args.add("--out", report)
    ctx.actions.run(
        executable = ctx.executable._checks,
        arguments = [args],
        inputs = [image.file],
        outputs = [report],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = "RustOffloadCheckImage",
        progress_message = "Checking the device image of %{label} for " + image.arch,
    )
    return report
