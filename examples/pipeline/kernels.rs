//! A library of kernels, and of functions that launch them.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel))]
#![no_std]
// Slices: rustc passes one to a kernel as pointer and length, and warns that a C caller would not know that.
#![allow(improper_ctypes_definitions, improper_gpu_kernel_arg)]

use core::ops::Mul;

/// The kernels themselves.
pub mod kernels {
    use core::ops::Mul;
    use gpu::offload_kernel;

    /// Generic over a type: there is one kernel in the image for each type that a program launches it with.
    #[offload_kernel]
    pub fn scale<T: Copy + Mul<Output = T>>(values: *mut [T], factor: T) {
        for i in gpu::grid_stride(values.len()) {
            // SAFETY: no other thread has this index.
            unsafe { (*values)[i] = (*values)[i] * factor };
        }
    }

    /// Not generic.
    #[offload_kernel]
    pub fn quantize(values: &[f32], levels: *mut [u32]) {
        for i in gpu::grid_stride(values.len()) {
            // SAFETY: no other thread has this index.
            unsafe { (*levels)[i] = values[i] as u32 };
        }
    }

    /// Generic over a constant. Values from `BINS` on are counted in the last bin.
    #[offload_kernel]
    pub fn histogram<const BINS: usize>(levels: &[u32], bins: *mut [u32; BINS]) {
        // In here, since the host's version of a kernel has no body that would use it.
        use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

        for i in gpu::grid_stride(levels.len()) {
            let bin = (levels[i] as usize).min(BINS - 1);
            // SAFETY: `bin` is in bounds, and while the kernel runs all accesses to the bins are atomic.
            let count = unsafe { AtomicU32::from_ptr(bins.cast::<u32>().add(bin)) };
            count.fetch_add(1, Relaxed);
        }
    }
}

const THREADS: u32 = 256;

/// Enough blocks for one thread per element, within reason: the kernels work with any number.
fn blocks(len: usize) -> u32 {
    len.div_ceil(THREADS as usize).clamp(1, 4096) as u32
}

/// Multiplies all values by `factor`.
pub fn scale<T: Copy + Mul<Output = T>>(values: &mut [T], factor: T) {
    gpu::launch! {
        kernel = kernels::scale,
        workgroup_dim = [blocks(values.len()), 1, 1],
        thread_dim = [THREADS, 1, 1],
        args = (values as *mut [T], factor),
    }
}

/// Rounds values towards zero.
pub fn quantize(values: &[f32], levels: &mut [u32]) {
    assert_eq!(values.len(), levels.len());
    gpu::launch! {
        kernel = kernels::quantize,
        workgroup_dim = [blocks(values.len()), 1, 1],
        thread_dim = [THREADS, 1, 1],
        args = (values, levels as *mut [u32]),
    }
}

/// Counts how often each of `0 .. BINS` occurs. What is larger counts as `BINS - 1`.
pub fn histogram<const BINS: usize>(levels: &[u32]) -> [u32; BINS] {
    let mut bins = [0; BINS];
    gpu::launch! {
        kernel = kernels::histogram,
        workgroup_dim = [blocks(levels.len()), 1, 1],
        thread_dim = [THREADS, 1, 1],
        args = (levels, &mut bins as *mut [u32; BINS]),
    }
    bins
}
