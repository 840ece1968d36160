"""The one file that loads anything private from rules_rust.

rules_rust's public API ends at its rules and providers. The offload passes compile one crate three times, each time
much as `rust_binary` would; what `rust_binary` does with dependencies, build scripts, environment and native libraries
is only to be had from the functions below. They changed between 0.54 and 0.73, and both are known here.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_rust//:version.bzl", _VERSION = "VERSION")
load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")

# buildifier: disable=bzl-visibility
load("@rules_rust//rust/private:clippy.bzl", "ClippyFlagsInfo")

# buildifier: disable=bzl-visibility
load("@rules_rust//rust/private:common.bzl", "rust_common")

# buildifier: disable=bzl-visibility
load("@rules_rust//rust/private:rustc.bzl", "ExtraRustcFlagsInfo", "collect_deps", "collect_inputs", "construct_arguments")

# buildifier: disable=bzl-visibility
load(
    "@rules_rust//rust/private:utils.bzl",
    "compute_crate_name",
    "crate_root_src",
    "expand_dict_value_locations",
    "find_cc_toolchain",
    "get_edition",
    "transform_deps",
    "transform_sources",
)

RUST_TOOLCHAIN_TYPE = "@rules_rust//rust:toolchain_type"

def _version(text):
    return [int(part) for part in text.split("-")[0].split(".")]

# 0.73 is the newest version that this file was tried with, 0.54.1 the oldest. In which version between them the signatures
# of `transform_sources`, `collect_inputs` and `construct_arguments` changed was not looked up: the boundary is a guess.
_IS_NEW = _version(_VERSION) >= [0, 60, 0]

# The flag settings of rules_rust that the device side must not inherit from the host side.
RUSTC_SETTINGS = struct(
    flag = "@rules_rust//rust/settings:extra_rustc_flag",
    flags = "@rules_rust//rust/settings:extra_rustc_flags",
    per_crate_flag = "@rules_rust//rust/settings:" + ("per_crate_rustc_flag" if _IS_NEW else "experimental_per_crate_rustc_flag"),
)

# rules_rust's default mode for LTO passes `-Cembed-bitcode=no`, and fat LTO refuses rlibs without bitcode. Versions
# without that setting leave rustc's default, which embeds it.
RUST_SETTINGS_THAT_KEEP_BITCODE = {"@rules_rust//rust/settings:lto": "manual"} if _IS_NEW else {}

# What stands for folders in files for rust-analyzer.
RUST_ANALYZER_ROOTS = struct(
    exec_root = "__EXEC_ROOT__/",
    workspace = "__WORKSPACE__/" if _IS_NEW else "",
)

# Attributes that the functions below read from `ctx.attr`. The settings for extra flags are left out on purpose: they
# hold for one side, while a rule that compiles for both has only one `ctx.attr`. See `extra_rustc_flags`.
RUSTC_ATTRS = {
    "_cc_toolchain": attr.label(
        default = "@bazel_tools//tools/cpp:current_cc_toolchain",
    ),
    "_error_format": attr.label(
        default = "@rules_rust//rust/settings:error_format",
    ),
    "_host_extra_rustc_flag": attr.label(
        default = RUSTC_SETTINGS.flag,
    ),
    "_host_extra_rustc_flags": attr.label(
        default = RUSTC_SETTINGS.flags,
    ),
    "_process_wrapper": attr.label(
        default = "@rules_rust//util/process_wrapper",
        executable = True,
        allow_single_file = True,
        cfg = "exec",
    ),
}

# What the command line says of clippy.
CLIPPY_ATTRS = {
    "_clippy_config": attr.label(
        allow_single_file = True,
        default = "@rules_rust//rust/settings:clippy.toml",
    ),
    "_clippy_flag": attr.label(
        default = "@rules_rust//rust/settings:clippy_flag",
    ),
    "_clippy_flags": attr.label(
        default = "@rules_rust//rust/settings:clippy_flags",
    ),
}

def clippy_flags(ctx):
    """The flags for clippy, as rules_rust's own aspect has them.

    Args:
        ctx: (ctx) of a rule with CLIPPY_ATTRS.

    Returns:
        (list[str]) those of the command line, else one that makes errors of warnings: Bazel would not show them again.
    """
    return (
        ctx.attr._clippy_flags[ClippyFlagsInfo].clippy_flags +
        ctx.attr._clippy_flag[ClippyFlagsInfo].clippy_flags
    ) or ["-Dwarnings"]

def extra_rustc_flags(ctx):
    """The flags that `--@rules_rust//rust/settings:extra_rustc_flag[s]` adds to every crate of the host side.

    Args:
        ctx: (ctx) of a rule with RUSTC_ATTRS.

    Returns:
        (list[str])
    """
    return (
        ctx.attr._host_extra_rustc_flags[ExtraRustcFlagsInfo].extra_rustc_flags +
        ctx.attr._host_extra_rustc_flag[ExtraRustcFlagsInfo].extra_rustc_flags
    )

def crate_sources(ctx, toolchain, srcs, crate_type):
    """Finds the root of a crate and, if one of its sources is generated, puts all of them side by side.

    Args:
        ctx: (ctx) of a rule with the attributes of rust_binary.
        toolchain: (rust_toolchain) of the host.
        srcs: (list[File])
        crate_type: (str) rustc's `--crate-type`, which says whether the root is `main.rs` or `lib.rs`.

    Returns:
        (struct(name, root, srcs, compile_data, edition))
    """
    root = ctx.file.crate_root or crate_root_src(ctx.label.name, ctx.attr.crate_name, srcs, crate_type)
    compile_data = ctx.files.compile_data
    if _IS_NEW:
        srcs, compile_data, root = transform_sources(ctx, srcs, compile_data, root)
    else:
        srcs, root = transform_sources(ctx, srcs, root)
    return struct(
        name = compute_crate_name(ctx.workspace_name, ctx.label, toolchain, ctx.attr.crate_name),
        root = root,
        srcs = srcs,
        compile_data = compile_data,
        edition = get_edition(ctx.attr, toolchain, ctx.label),
    )

def some_sources(sources, files):
    """The sources of one side, where it needs only some of them.

    Args:
        sources: (struct) from crate_sources.
        files: (list[File]) as the user named them.

    Returns:
        (struct) as from crate_sources.
    """

    # Where sources are generated, all of them are links of the same names.
    wanted = [file.short_path for file in files]
    return struct(
        name = sources.name,
        root = sources.root,
        srcs = [file for file in sources.srcs if file.short_path in wanted],
        compile_data = sources.compile_data,
        edition = sources.edition,
    )

def crate_dependencies(ctx, deps):
    """What a crate of one side depends on. All passes of the side share it: it takes a good part of the analysis.

    Args:
        ctx: (ctx) of a rule with the attributes of rust_binary.
        deps: (list[Target]) the dependencies, in the configuration of the side.

    Returns:
        (struct(deps, proc_macro_deps, dep_info, build_info, linkstamps))
    """
    deps = transform_deps(deps)
    proc_macro_deps = transform_deps(ctx.attr.proc_macro_deps)
    dep_info, build_info, linkstamps = collect_deps(
        deps = deps if _IS_NEW else depset(deps),
        proc_macro_deps = proc_macro_deps if _IS_NEW else depset(proc_macro_deps),
        aliases = ctx.attr.aliases,
    )
    return struct(
        deps = deps,
        proc_macro_deps = proc_macro_deps,
        dep_info = dep_info,
        build_info = build_info,
        linkstamps = linkstamps,
    )

def crate_graph(ctx, sources, crate_type, output, dependencies):
    """One crate of one side, and what it depends on.

    Args:
        ctx: (ctx) of a rule with the attributes of rust_binary.
        sources: (struct) from crate_sources.
        crate_type: (str) rustc's `--crate-type`.
        output: (File) what the crate is compiled to. rustc's `--out-dir` is its folder.
        dependencies: (struct) from crate_dependencies.

    Returns:
        (struct(crate_info, dep_info, build_info, linkstamps))
    """
    extra = {"cfgs": [], "root_path": ""} if _IS_NEW else {}
    crate_info = rust_common.create_crate_info(
        name = sources.name,
        type = crate_type,
        root = sources.root,
        srcs = depset(sources.srcs),
        deps = depset(dependencies.deps),
        proc_macro_deps = depset(dependencies.proc_macro_deps),
        aliases = ctx.attr.aliases,
        output = output,
        edition = sources.edition,
        rustc_env = ctx.attr.rustc_env,
        rustc_env_files = ctx.files.rustc_env_files,
        is_test = False,
        data = depset(getattr(ctx.files, "data", [])),
        compile_data = depset(sources.compile_data),
        compile_data_targets = depset(ctx.attr.compile_data),
        owner = ctx.label,
        **extra
    )
    return struct(
        crate_info = crate_info,
        dep_info = dependencies.dep_info,
        build_info = dependencies.build_info,
        linkstamps = dependencies.linkstamps,
    )

def linked_crates(dependencies):
    """The names by which a crate of one side knows the crates that it is linked with.

    Args:
        dependencies: (struct) from crate_dependencies.

    Returns:
        (list[str])
    """
    return [
        crate.name
        for crate in dependencies.dep_info.direct_crates.to_list()
        if crate.dep.type != "proc-macro"
    ]

def crate_names(deps):
    """The crates that a crate of one side depends on.

    Args:
        deps: (list[Target]) in the configuration of the side.

    Returns:
        (list[(str, Label)]) name and owner of each.
    """
    infos = [dep for dep in transform_deps(deps) if dep.crate_info]
    crates = depset(
        [dep.crate_info for dep in infos],
        transitive = [dep.dep_info.transitive_crates for dep in infos if dep.dep_info],
    )
    return [(crate.name, crate.owner) for crate in crates.to_list()]

# Stands in for a C++ toolchain where nothing is linked, so that its files are no inputs.
_NO_CC_TOOLCHAIN = struct(
    _linker_files = depset(),
    dynamic_runtime_lib = lambda feature_configuration: depset(),
    needs_pic_for_dynamic_libraries = lambda feature_configuration: True,
    static_runtime_lib = lambda feature_configuration: depset(),
)

def _fields(info):
    return {
        field: getattr(info, field)
        for field in dir(info)
        if field not in ("to_json", "to_proto")
    }

def _without_native_libraries(dep_info):
    return rust_common.dep_info(**(_fields(dep_info) | {"transitive_noncrates": depset(order = "topological")}))

def toolchain_of_pass(toolchain, compilation_mode):
    """The toolchain as a Device pass needs it, whose flags are its own and whose compilation mode is not the host's.

    Args:
        toolchain: (rust_toolchain) of a device triple.
        compilation_mode: (str) of the device side.

    Returns:
        (struct) with the fields of a rust_toolchain.
    """
    return struct(**(_fields(toolchain) | {
        "compilation_mode_opts": {
            mode: toolchain.compilation_mode_opts[compilation_mode]
            for mode in toolchain.compilation_mode_opts
        },
        "extra_rustc_flags": [],
    }))

def _paths_as_text(flags):
    """Flags as versions need them that know no pairs `(format, File)`, and no path mapping."""
    return [flag if type(flag) == type("") else flag[0] % flag[1].path for flag in flags]

def rustc_command(ctx, attr, toolchain, graph, flags, links = False, emit = []):
    """What actions have in common that run rustc on the same crate.

    Args:
        ctx: (ctx) of a rule with RUSTC_ATTRS.
        attr: (struct) the attributes of one side, from `side_attr`.
        toolchain: (rust_toolchain) of the side.
        graph: (struct) from crate_graph.
        flags: (list[str or (str, File)]) the flags of the pass; a pair is a format and the file whose path is put in.
        links: (bool) whether the C++ toolchain and native libraries are needed.
        emit: (list[str]) rustc's `--emit`, where all of the actions emit the same.

    Returns:
        (struct(args, env, inputs, rustc)) for `run_rustc`.
    """
    if links:
        cc_toolchain, feature_configuration = find_cc_toolchain(ctx)
        dep_info = graph.dep_info
        linkstamps = graph.linkstamps
    else:
        cc_toolchain, feature_configuration = _NO_CC_TOOLCHAIN, None
        dep_info = _without_native_libraries(graph.dep_info)
        linkstamps = depset()
    extra_inputs = {"lint_files": []} if _IS_NEW else {}
    inputs, out_dir, env_files, flags_files, linkstamp_outs, ambiguous_libs = collect_inputs(
        ctx = ctx,
        file = struct(linker_script = ctx.file.linker_script if links else None),
        files = struct(data = getattr(attr, "data_files", [])),
        linkstamps = linkstamps,
        toolchain = toolchain,
        cc_toolchain = cc_toolchain,
        feature_configuration = feature_configuration,
        crate_info = graph.crate_info,
        dep_info = dep_info,
        build_info = graph.build_info,
        stamp = attr.stamp,
        include_link_flags = links,
        **extra_inputs
    )
    extra_args = {"tool_file": toolchain.rustc} if _IS_NEW else {"tool_path": toolchain.rustc.path}
    args, env = construct_arguments(
        ctx = ctx,
        attr = attr,
        file = struct(linker_script = ctx.file.linker_script if links else None),
        toolchain = toolchain,
        cc_toolchain = cc_toolchain,
        feature_configuration = feature_configuration,
        crate_info = graph.crate_info,
        dep_info = dep_info,
        linkstamp_outs = linkstamp_outs,
        ambiguous_libs = ambiguous_libs,
        output_hash = None,
        rust_flags = flags if _IS_NEW else _paths_as_text(flags),
        out_dir = out_dir,
        build_env_files = env_files,
        build_flags_files = flags_files,
        emit = emit,
        stamp = attr.stamp,
        include_link_flags = links,
        **extra_args
    )
    return struct(args = args, env = env, inputs = inputs, rustc = toolchain.rustc)

def run_rustc(
        ctx,
        command,
        mnemonic,
        progress_message,
        outputs,
        flags = [],
        inputs = depset(),
        env = {},
        tool = None,
        touches = None,
        maps_paths = False):
    """Makes one action that runs rustc on a crate.

    Args:
        ctx: (ctx) of a rule with RUSTC_ATTRS.
        command: (struct) from `rustc_command`.
        mnemonic: (str)
        progress_message: (str)
        outputs: (list[File])
        flags: (list[str or (str, File)]) of this action alone, as in `rustc_command`.
        inputs: (depset[File]) what the pass reads apart from the crate and its dependencies.
        env: (dict[str, str]) environment variables apart from those of the crate.
        tool: (File or None) what is run instead of rustc, with the same arguments.
        touches: (File or None) one of the outputs, which is made empty if all went well.
        maps_paths: (bool) whether the paths of all outputs and `inputs` are in `flags` as files.
    """
    args = command.args
    wrapper = ctx.actions.args()
    if touches:
        wrapper.add("--touch-file", touches)
    program = args.rustc_path
    if tool:
        program = ctx.actions.args()
        program.add("--")
        program.add(tool)
    own = ctx.actions.args()
    for flag in flags:
        if type(flag) == type(""):
            own.add(flag)
        else:
            own.add(flag[1], format = flag[0])
    ctx.actions.run(
        executable = ctx.executable._process_wrapper,
        # What users write is in the last one.
        arguments = [args.process_wrapper_flags, wrapper, program, own, args.rustc_flags],
        inputs = depset([tool or command.rustc], transitive = [inputs, command.inputs]),
        outputs = outputs,
        env = command.env | env,
        execution_requirements = SUPPORTS_PATH_MAPPING if getattr(args, "supports_path_mapping", False) and maps_paths else {},
        mnemonic = mnemonic,
        progress_message = progress_message,
        toolchain = RUST_TOOLCHAIN_TYPE,
    )

def side_attr(ctx, rustc_flags, crate_features, data = [], data_files = [], stamp = False):
    """What rules_rust reads from a target's attributes, for one side.

    Args:
        ctx: (ctx) of a rule with RUSTC_ATTRS.
        rustc_flags: (list[str])
        crate_features: (list[str])
        data: (list[Target]) targets that `$(location)` may name.
        data_files: (list[File])
        stamp: (bool) whether the workspace status is substituted in `rustc_env_files`.

    Returns:
        (struct)
    """
    return struct(
        name = ctx.label.name,
        crate_features = crate_features,
        data = data,
        data_files = data_files,
        rustc_flags = rustc_flags,
        stamp = stamp,
        version = ctx.attr.version,
        _error_format = ctx.attr._error_format,
    )

def dynamic_libraries(graph):
    """The shared libraries that a crate is linked with, which have to be in its runfiles.

    Args:
        graph: (struct) from crate_graph.

    Returns:
        (list[File])
    """
    return [
        library.dynamic_library
        for linker_input in graph.dep_info.transitive_noncrates.to_list()
        for library in linker_input.libraries
        if library.dynamic_library and not (library.static_library or library.pic_static_library)
    ]

def native_libraries(deps):
    """The C and C++ libraries that a crate of one side depends on, itself or through other crates.

    Args:
        deps: (list[Target]) in the configuration of the side.

    Returns:
        (list[Label])
    """
    direct = [dep.label for dep in deps if CcInfo in dep and rust_common.crate_info not in dep]
    linker_inputs = depset(transitive = [
        dep.dep_info.transitive_noncrates
        for dep in transform_deps(deps)
        if dep.dep_info
    ])
    return depset(direct + [linker_input.owner for linker_input in linker_inputs.to_list()]).to_list()

def library_cc_info(ctx, library):
    """What C and C++ targets need in order to link with a shared library.

    Args:
        ctx: (ctx) of a rule with RUSTC_ATTRS.
        library: (File)

    Returns:
        (CcInfo)
    """
    cc_toolchain, feature_configuration = find_cc_toolchain(ctx)
    library_to_link = cc_common.create_library_to_link(
        actions = ctx.actions,
        cc_toolchain = cc_toolchain,
        dynamic_library = library,
        feature_configuration = feature_configuration,
    )
    linker_input = cc_common.create_linker_input(
        libraries = depset([library_to_link]),
        owner = ctx.label,
    )
    return CcInfo(linking_context = cc_common.create_linking_context(linker_inputs = depset([linker_input])))

def run_environment(ctx):
    """The environment of `bazel run` and `bazel test`.

    Args:
        ctx: (ctx) of a rule with the attributes `env`, `env_inherit` and `data`.

    Returns:
        (RunEnvironmentInfo)
    """
    return RunEnvironmentInfo(
        environment = expand_dict_value_locations(ctx, ctx.attr.env, ctx.attr.data, {}),
        inherited_environment = ctx.attr.env_inherit,
    )
