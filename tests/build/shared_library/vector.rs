//! A library with kernels for programs in other languages.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]
#![allow(improper_ctypes_definitions, improper_gpu_kernel_arg)] // for slices as arguments of kernels

#[gpu::offload_kernel]
fn scale_all(factor: f32, values: *mut [f32]) {
    for i in gpu::grid_stride(values.len()) {
        // SAFETY: each index belongs to one thread.
        unsafe { (*values)[i] *= factor };
    }
}

/// Multiplies each of `count` values by a factor, on the GPU.
///
/// # Safety
///
/// There are as many values.
#[cfg(not(offload_device))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vector_scale(factor: f32, values: *mut f32, count: usize) {
    let values = core::ptr::slice_from_raw_parts_mut(values, count);
    gpu::launch! {
        kernel = scale_all,
        workgroup_dim = [64, 1, 1],
        thread_dim = [256, 1, 1],
        args = (factor, values),
    }
}

/// Needs no GPU.
#[cfg(not(offload_device))]
#[unsafe(no_mangle)]
pub extern "C" fn vector_version() -> u32 {
    1
}
