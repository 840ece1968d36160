"""The workspace: it uses this checkout from outside, as a user's does."""

import re
import shutil
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]

_MODULE = """\
module(name = "bench")

bazel_dep(name = "rules_rust_offload")
local_path_override(
    module_name = "rules_rust_offload",
    path = "{checkout}",
)

# The versions that rules_rust_offload asks for.
{deps}

rust = use_extension("@rules_rust//rust:extensions.bzl", "rust")
rust.toolchain(versions = [])

# All sides use the compiler and the ptxas that the rules use.
offload = use_extension("@rules_rust_offload//offload:extensions.bzl", "offload")
use_repo(offload, "rust_offload", "rust_offload_cuda")
"""

_BAZELRC = """\
import {checkout}/offload/configs.bazelrc
common --incompatible_strict_action_env
build --sandbox_default_allow_network=false
"""


def write_workspace(root: Path) -> None:
    """Writes it with no packages; what was there is removed."""
    module = (CHECKOUT / "MODULE.bazel").read_text()
    deps = re.findall(r'^bazel_dep\(name = "[^"]+", version = "[^"]+"\)$', module, re.M)
    if root.exists():
        shutil.rmtree(str(root))
    root.mkdir(parents=True)
    (root / "MODULE.bazel").write_text(_MODULE.format(checkout=CHECKOUT, deps="\n".join(deps)))
    (root / ".bazelrc").write_text(_BAZELRC.format(checkout=CHECKOUT))
    shutil.copy(str(CHECKOUT / ".bazelversion"), str(root))
