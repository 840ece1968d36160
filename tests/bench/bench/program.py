"""The program that is built: its sources, and the edits that a user makes."""

import itertools
import time
from pathlib import Path
from typing import Dict, List, Optional

_MAIN = """\
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]
#![cfg_attr(target_arch = "amdgpu", feature(stdarch_amdgpu))]
#![cfg_attr(target_arch = "nvptx64", feature(stdarch_nvptx))]

#[cfg(not(offload_device))]
mod host;
mod kernels;

#[cfg(not(offload_device))]
fn main() {
    host::run();
}

#[cfg(offload_device)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
"""

_KERNELS_HEAD = """\
use core::offload::offload_kernel;

#[cfg(target_arch = "amdgpu")]
use core::arch::amdgpu::workitem_id_x as thread_idx_x;
#[cfg(target_arch = "nvptx64")]
use core::arch::nvptx::_thread_idx_x as thread_idx_x;

#[offload_kernel]
pub fn generic<const N: usize>(x: *mut [f32; 256]) {
    let i = thread_idx_x() as usize;
    if i < 256 {
        unsafe { (*x)[i] += N as f32 };
    }
}
"""

_KERNEL = """
#[offload_kernel]
pub fn kernel_{i}(x: *mut [f32; 256]) {{
    let i = thread_idx_x() as usize;
    if i < 256 {{
        let mut value = {begin};
        for step in 0..{i} + 8 {{
            value = value * {i}.5 + step as f32;
            if value > 1.0e6 {{
                value /= {i}.25;
            }}
        }}
        unsafe {{ (*x)[i] = value }};
    }}
}}
"""

_HOST = """\
pub fn run() {{
    let mut x = [1.0f32; 256];
{launches}    println!("{text}: {{}}", x[0]);
}}
"""

_LAUNCH = """\
    core::offload::offload! {{
        kernel = crate::kernels::{kernel},
        workgroup_dim = [1, 1, 1],
        thread_dim = [256, 1, 1],
        args = (&mut x as *mut [f32; 256],),
    }}
"""

_BUILD = """\
load("@rules_rust_offload//offload:defs.bzl", "rust_offload_binary", "rust_offload_library")

rust_offload_binary(
    name = "app",
    srcs = [
        "host.rs",
        "kernels.rs",
        "main.rs",
    ],
    crate_root = "main.rs",
    device_srcs = [
        "kernels.rs",
        "main.rs",
    ],
    edition = "2024",
    deps = {deps},
)
"""

_BUILD_LIBRARY = """
rust_offload_library(
    name = "{name}",
    srcs = ["{name}.rs"],
    edition = "2024",
    has_kernels = False,
    deps = {deps},
)
"""

_CARGO = """\
[package]
name = "app"
edition = "2024"

[workspace]

# One crate twice: cargo builds no programs for GPUs.
[lib]
path = "main.rs"
crate-type = ["cdylib"]

[[bin]]
name = "app"
path = "main.rs"

[profile.dev]
codegen-units = 1
debug = 0
incremental = false
lto = "fat"

[dependencies]
"""

_CARGO_LIBRARY = """\
[package]
name = "{name}"
edition = "2024"

[lib]
path = "../../{name}.rs"

[dependencies]
"""

_serial = itertools.count(time.time_ns() // 1_000_000 % 1_000_000_000)


def serial() -> int:
    """A number that no earlier build has seen, also where folders are used again."""
    return next(_serial)


class Program:
    """A folder of the workspace with `main.rs`, `host.rs`, `kernels.rs`, maybe libraries, and build files for Bazel and cargo."""

    def __init__(self, root: Path, name: str, libraries: Optional[Dict[str, List[str]]] = None, kernels: int = 64):
        """`libraries`: each crate of functions for kernels, with the crates it uses, after those."""
        self._count = kernels
        self.name = name
        self.folder = root / name
        self.libraries = libraries or {}
        self.folder.mkdir()
        used = {use for uses in self.libraries.values() for use in uses}
        self.uses = [library for library in self.libraries if library not in used]
        self._text, self._comment, self._instance, self._kernel, self._library = "all done", 0, 1, 0, 1
        self._write_build_files()
        self._write("main.rs", _MAIN)
        self._write_sources()

    def edit_comment(self) -> None:
        """A comment in the host part."""
        self._comment = serial()
        self._write_sources()

    def edit_host(self) -> None:
        """What the host part does."""
        self._text = f"all done, edit {serial()}"
        self._write_sources()

    def edit_kernel(self) -> None:
        """The body of one kernel."""
        self._kernel = serial()
        self._write_sources()

    def edit_instance(self) -> None:
        """The host part launches another instance of the generic kernel."""
        self._instance = serial()
        self._write_sources()

    def edit_libraries(self) -> None:
        """What every library returns."""
        self._library = serial()
        self._write_sources()

    def _write_sources(self) -> None:
        begins = ["unsafe { (*x)[i] }"] * self._count
        begins[0] += f" + {self._kernel}.0" + "".join(f" + {library}::value()" for library in self.uses)
        kernels = [_KERNEL.format(i=i, begin=begin) for i, begin in enumerate(begins)]
        self._write("kernels.rs", _KERNELS_HEAD + "".join(kernels))

        launched = [f"kernel_{i}" for i in range(self._count)] + [f"generic::<{self._instance}>"]
        launches = "".join(_LAUNCH.format(kernel=kernel) for kernel in launched)
        self._write("host.rs", _HOST.format(launches=launches, text=self._text) + f"// {self._comment}\n")

        for library, uses in self.libraries.items():
            body = "".join(f" + {use}::value()" for use in uses)
            self._write(f"{library}.rs", f"#![no_std]\n\npub fn value() -> f32 {{\n    {self._library}.0{body}\n}}\n")

    def _write(self, name: str, text: str) -> None:
        """Leaves alone what stays as it is: cargo goes by the time of a change."""
        file = self.folder / name
        if not file.exists() or file.read_text() != text:
            file.write_text(text)

    def _write_build_files(self) -> None:
        def labels(names: List[str]) -> str:
            return "[" + ", ".join(f'":{name}"' for name in names) + "]"

        build = [_BUILD.format(deps=labels(self.uses))]
        build += [_BUILD_LIBRARY.format(name=name, deps=labels(uses)) for name, uses in self.libraries.items()]
        (self.folder / "BUILD.bazel").write_text("".join(build))
        dependencies = [f'{name} = {{ path = "cargo/{name}" }}\n' for name in self.uses]
        (self.folder / "Cargo.toml").write_text(_CARGO + "".join(dependencies))
        for name, uses in self.libraries.items():
            folder = self.folder / "cargo" / name
            folder.mkdir(parents=True)
            dependencies = [f'{use} = {{ path = "../{use}" }}\n' for use in uses]
            (folder / "Cargo.toml").write_text(_CARGO_LIBRARY.format(name=name) + "".join(dependencies))


def chain(count: int) -> Dict[str, List[str]]:
    """Libraries of which each uses the one before it."""
    return {f"lib{i}": [f"lib{i - 1}"] if i else [] for i in range(count)}


def fan(count: int) -> Dict[str, List[str]]:
    """Libraries that the program uses, each by itself."""
    return {f"lib{i}": [] for i in range(count)}
