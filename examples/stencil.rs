//! One step of Jacobi's method on a square grid: each inner point becomes the mean of its four neighbours.
//! Blocks and threads have two axes. The first argument is the grid's width, 2048 if left out.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]
// Slices: rustc passes one to a kernel as pointer and length, and warns that a C caller would not know that.
#![allow(improper_ctypes_definitions, improper_gpu_kernel_arg)]

use gpu::offload_kernel;

/// `from` and `to` have `width` rows of `width` points; the outermost points of `to` stay as they are.
#[offload_kernel]
fn jacobi(width: usize, from: &[f32], to: *mut [f32]) {
    let column = (gpu::block_idx_x() * gpu::block_dim_x() + gpu::thread_idx_x()) as usize;
    let row = (gpu::block_idx_y() * gpu::block_dim_y() + gpu::thread_idx_y()) as usize;
    if column == 0 || row == 0 || column >= width - 1 || row >= width - 1 {
        return;
    }
    let i = row * width + column;
    let sum = from[i - width] + from[i - 1] + from[i + 1] + from[i + width];
    // SAFETY: `to` is as long as `from`, and no other thread has this index.
    unsafe { (*to)[i] = 0.25 * sum };
}

#[cfg(not(offload_device))]
fn main() {
    const THREADS: [u32; 3] = [64, 4, 1];

    let width = std::env::args().nth(1).map_or(2048, |width| {
        width.parse().expect("the width should be a number")
    });
    let blocks = THREADS.map(|threads| (width as u32).div_ceil(threads));

    let from: Vec<f32> = (0..width * width).map(|i| (i * 7 % 1024) as f32).collect();
    let mut to = from.clone();
    gpu::launch! {
        kernel = jacobi,
        workgroup_dim = [blocks[0], blocks[1], 1],
        thread_dim = THREADS,
        args = (width, from.as_slice(), to.as_mut_slice() as *mut [f32]),
    }

    for (i, (&before, &after)) in from.iter().zip(&to).enumerate() {
        let (row, column) = (i / width, i % width);
        let inner = 1..width - 1;
        let expected = if inner.contains(&row) && inner.contains(&column) {
            0.25 * (from[i - width] + from[i - 1] + from[i + 1] + from[i + width])
        } else {
            before
        };
        assert_eq!(after, expected, "row {row}, column {column}");
    }
    println!("all {width} * {width} points are right");
}
