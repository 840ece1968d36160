"""The public rules."""

load("//offload/private/rules:kernel_budget_test.bzl", _kernel_budget_test = "kernel_budget_test")
load("//offload/private/rules:offload_binary_macro.bzl", _rust_offload_binary = "rust_offload_binary")
load("//offload/private/rules:offload_device_image_macro.bzl", _rust_offload_device_image = "rust_offload_device_image")
load("//offload/private/rules:offload_doc.bzl", _rust_offload_doc = "rust_offload_doc")
load("//offload/private/rules:offload_library.bzl", _rust_offload_library = "rust_offload_library")
load("//offload/private/rules:offload_package.bzl", _offload_package = "offload_package")
load("//offload/private/rules:offload_shared_library_macro.bzl", _rust_offload_shared_library = "rust_offload_shared_library")
load("//offload/private/rules:offload_test_macro.bzl", _rust_offload_test = "rust_offload_test")

kernel_budget_test = _kernel_budget_test
offload_package = _offload_package
rust_offload_binary = _rust_offload_binary
rust_offload_device_image = _rust_offload_device_image
rust_offload_doc = _rust_offload_doc
rust_offload_library = _rust_offload_library
rust_offload_shared_library = _rust_offload_shared_library
rust_offload_test = _rust_offload_test
