"""What only makes sense inside of offload targets: by itself it is incompatible, and `//...` skips it."""

ONLY_IN_OFFLOAD_TARGETS = select({
    Label("//offload/private:is_offload_rustc"): [],
    "//conditions:default": [Label("//offload/settings:only_built_as_a_dependency_of_offload_targets")],
})
