"""Provisions Bazel, the rule sets and rustc with offload from package registries alone."""
