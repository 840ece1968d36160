//! What a GPU kernel needs besides `core`, with one name on every vendor.
//!
//! * [`thread_idx_x`], [`block_idx_x`], [`block_dim_x`], [`grid_dim_x`] and their `_y` and `_z` siblings, and on top of
//!   them [`global_thread_index`], [`global_thread_count`] and [`grid_stride`];
//! * [`launch!`], which starts a kernel from the host, and [`offload_kernel`], which makes one;
//! * a panic handler for the device side: a kernel that panics traps, see [below](#panics).
//!
//! A crate of kernels is compiled several times, once for the host and once per GPU architecture, and so is this one.
//!
//! ```ignore (needs a GPU and rustc's offload passes)
//! #![feature(gpu_offload)]
//! #![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]
//! #![allow(improper_ctypes_definitions, improper_gpu_kernel_arg)] // for slices as arguments of kernels
//!
//! #[gpu::offload_kernel]
//! fn saxpy(a: f32, x: &[f32], y: *mut [f32]) {
//!     for i in gpu::grid_stride(x.len()) {
//!         unsafe { (*y)[i] += a * x[i] };
//!     }
//! }
//!
//! #[cfg(not(offload_device))]
//! fn main() {
//!     let x = vec![1.0; 1 << 20];
//!     let mut y = vec![2.0; 1 << 20];
//!     gpu::launch! {
//!         kernel = saxpy,
//!         workgroup_dim = [1024, 1, 1],
//!         thread_dim = [256, 1, 1],
//!         args = (3.0, x.as_slice(), y.as_mut_slice() as *mut [f32]),
//!     }
//!     assert!(y.iter().all(|&y| y == 5.0));
//! }
//! ```
//!
//! # Features
//!
//! A crate with kernels or launches needs `gpu_offload`; one with kernels needs `abi_gpu_kernel` on the device side, where
//! [`offload_kernel`] expands to a function with that ABI (on the host rustc would call it unused). A crate that only calls
//! index functions needs none.
//!
//! # Host and device
//!
//! `cfg(offload_device)` is set on the device side, for every crate. On the host the index functions exist, so that the
//! functions that kernels call compile there too, but they panic: nothing calls them, since [`offload_kernel`] replaces
//! the body of a kernel on the host.
//!
//! # Panics
//!
//! On the device, a panic (an index out of bounds, say) executes the trap instruction: the kernel ends and its launch fails,
//! without a message. See [`launch!`] for what becomes of a launch that fails.
//! A device crate graph has one panic handler; one with this crate in it cannot have another.
//!
//! # What is left out
//!
//! There is no barrier. Rust has no notion of convergent operations yet, so a barrier may be moved or duplicated by the
//! optimiser before it is inlined to what LLVM knows as one; `core::arch` offers theirs "on a best-effort basis".

#![no_std]
#![feature(cfg_accessible, gpu_offload)]
#![cfg_attr(any(offload_device, target_arch = "amdgpu"), feature(core_intrinsics))]
#![cfg_attr(target_arch = "amdgpu", feature(gpu_intrinsics, stdarch_amdgpu))]
#![cfg_attr(target_arch = "nvptx64", feature(stdarch_nvptx))]
#![allow(internal_features)]
#![warn(missing_docs)]

#[cfg_attr(target_arch = "amdgpu", path = "amdgpu.rs")]
#[cfg_attr(target_arch = "nvptx64", path = "nvptx.rs")]
#[cfg_attr(
    not(any(target_arch = "amdgpu", target_arch = "nvptx64")),
    path = "host.rs"
)]
mod arch;
mod grid_stride;
mod index;
#[doc(hidden)]
pub mod launch;
#[cfg(offload_device)]
mod panic;

pub use core::offload::offload_kernel;
pub use grid_stride::{GridStride, grid_stride};
pub use index::*;
