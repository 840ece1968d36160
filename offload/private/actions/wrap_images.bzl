"""RustOffloadWrapImages: puts the linked images of all arches into an object file that registers them at start."""

load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")
load("//offload/private/actions:codegen.bzl", "codegen_action")

# The triple of the only host so far.
_HOST_TRIPLE = "x86_64-unknown-linux-gnu"

def _pack(ctx, llvm, image):
    """An OffloadBinary around a linked image: the runtime and llvm-objdump read triple and arch from it."""
    packed = ctx.actions.declare_file("{}.offload/{}/linked.bin".format(ctx.label.name, image.arch))
    args = ctx.actions.args()
    args.add("-o", packed)
    args.add(image.linked, format = "--image=file=%s,triple={},arch={},kind=openmp".format(image.triple, image.arch))
    ctx.actions.run(
        executable = llvm.offload_binary,
        arguments = [args],
        inputs = [image.linked],
        tools = llvm.files,
        outputs = [packed],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = "RustOffloadPackImage",
        progress_message = "Packing the image of %{label} for " + image.arch,
    )
    return packed

def wrap_images_action(ctx, llvm, images):
    """Makes the object file with the images.

    Args:
        ctx: (ctx)
        llvm: (struct) from `llvm_for_images`.
        images: (list[OffloadImageInfo]) with `linked`, the most specific arch first: the runtime takes the first one
            that fits a device.

    Returns:
        (File)
    """
    packed = [_pack(ctx, llvm, image) for image in images]
    folder = ctx.label.name + ".offload/"
    bitcode = ctx.actions.declare_file(folder + "offload_images.bc")
    args = ctx.actions.args()
    args.add("--kind=openmp")
    args.add(_HOST_TRIPLE, format = "--triple=%s")
    args.add("-o", bitcode)
    args.add_all(packed)
    ctx.actions.run(
        executable = llvm.offload_wrapper,
        arguments = [args],
        inputs = packed,
        tools = llvm.files,
        outputs = [bitcode],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = "RustOffloadWrapImages",
        progress_message = "Wrapping the images of %{label}",
    )
    object = ctx.actions.declare_file(folder + "offload_images.o")
    codegen_action(
        ctx,
        llvm,
        bitcode = bitcode,
        output = object,
        file_type = "obj",
        flags = [],
        progress_message = "Generating the images' object of %{label}",
    )
    return object
