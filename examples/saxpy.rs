//! `y += a * x` on the GPU, with slices, several blocks and a look at the time.
//! The first argument says over how many numbers, 2^24 if left out.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]
// Slices: rustc passes one to a kernel as pointer and length, and warns that a C caller would not know that.
#![allow(improper_ctypes_definitions, improper_gpu_kernel_arg)]

use gpu::offload_kernel;

/// Fills `x` with 0, 1, … 1023, 0, 1, …
#[offload_kernel]
fn ramp(x: *mut [f32]) {
    for i in gpu::grid_stride(x.len()) {
        // SAFETY: no other thread has this index.
        unsafe { (*x)[i] = (i % 1024) as f32 };
    }
}

#[offload_kernel]
fn saxpy(a: f32, x: &[f32], y: *mut [f32]) {
    for i in gpu::grid_stride(x.len()) {
        // SAFETY: no other thread has this index.
        unsafe { (*y)[i] += a * x[i] };
    }
}

#[cfg(not(offload_device))]
fn main() {
    use std::time::Instant;

    /// Fewer threads than numbers: of 2^24, each thread handles 64.
    const BLOCKS: [u32; 3] = [1024, 1, 1];
    const THREADS: [u32; 3] = [256, 1, 1];

    let len = std::env::args().nth(1).map_or(1 << 24, |len| {
        len.parse().expect("the length should be a number")
    });
    let mut x = vec![0.0f32; len];
    let mut y = vec![1.0f32; len];

    // The first launch also loads the driver and the image, so its time says nothing about the GPU.
    gpu::launch! {
        kernel = ramp,
        workgroup_dim = BLOCKS,
        thread_dim = THREADS,
        args = (x.as_mut_slice() as *mut [f32],),
    }

    let start = Instant::now();
    gpu::launch! {
        kernel = saxpy,
        workgroup_dim = BLOCKS,
        thread_dim = THREADS,
        args = (2.0, x.as_slice(), y.as_mut_slice() as *mut [f32]),
    }
    let seconds = start.elapsed().as_secs_f64();

    for i in 0..len {
        let expected = (i % 1024) as f32;
        assert_eq!(x[i], expected, "x[{i}]");
        assert_eq!(y[i], 2.0 * expected + 1.0, "y[{i}]");
    }
    // x and y go to the device, y comes back.
    let gigabytes = 3.0 * size_of_val(y.as_slice()) as f64 / 1e9;
    println!("all {len} values are right");
    println!(
        "saxpy with transfers: {:.1} ms, {:.2} GB/s",
        seconds * 1e3,
        gigabytes / seconds
    );
}
