//! A library of kernels, compiled once for the host and once for the device.
#![allow(internal_features)]
#![feature(gpu_offload)]
#![cfg_attr(not(target_os = "linux"), feature(abi_gpu_kernel))]
#![cfg_attr(target_arch = "amdgpu", feature(stdarch_amdgpu))]
#![cfg_attr(target_arch = "nvptx64", feature(stdarch_nvptx))]
#![no_std]
use core::offload::offload_kernel;
use core::ops::AddAssign;

#[cfg(target_arch = "amdgpu")]
pub fn block() -> usize {
    core::arch::amdgpu::workgroup_id_x() as usize
}

#[cfg(target_arch = "nvptx64")]
pub fn block() -> usize {
    unsafe { core::arch::nvptx::_block_idx_x() as usize }
}

#[cfg(target_os = "linux")]
pub fn block() -> usize {
    0
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range<T> {
    pub low: T,
    pub high: T,
}

/// Generic over a type and a length.
#[offload_kernel]
pub fn add<T: Copy + AddAssign, const N: usize>(x: *mut [T; N], y: T) {
    let i = block();
    if i < N {
        unsafe { (*x)[i] += y }
    }
}

/// Not generic: in every device image, launched or not.
#[offload_kernel]
pub fn negate(x: *mut [f32; 16]) {
    let i = block();
    if i < 16 {
        unsafe { (*x)[i] = -(*x)[i] }
    }
}

mod inner {
    use super::*;

    /// Only launched from inside this crate, by a function whose instances its callers make.
    #[offload_kernel]
    fn set<T: Copy>(x: *mut [T; 8], value: *const T) {
        let i = block();
        if i < 8 {
            unsafe { (*x)[i] = *value }
        }
    }

    #[cfg(target_os = "linux")]
    pub fn launch_set<T: Copy>(x: &mut [T; 8], value: &T) {
        core::offload::offload! {
            kernel = set, workgroup_dim = [8, 1, 1], args = (x as *mut [T; 8], value as *const T)
        }
    }
}

#[cfg(target_os = "linux")]
pub use inner::launch_set;
