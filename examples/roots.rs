//! Kernels that use crates of the registry: what they compute, the same crates compute on the host.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

use gpu::offload_kernel;

const N: usize = 64;

/// `sqrt(x)`, as bits.
#[offload_kernel]
fn square_roots(x: *const [f32; N], bits: *mut [u32; N]) {
    let i = gpu::global_thread_index();
    if i < N {
        unsafe { (*bits)[i] = square_root((*x)[i]) }
    }
}

fn square_root(x: f32) -> u32 {
    bytemuck::cast(libm::sqrtf(x))
}

#[cfg(not(offload_device))]
fn main() {
    let x: [f32; N] = core::array::from_fn(|i| i as f32);
    let mut bits = [0u32; N];
    gpu::launch! {
        kernel = square_roots,
        workgroup_dim = [1, 1, 1],
        thread_dim = [N as u32, 1, 1],
        args = (&x as *const [f32; N], &mut bits as *mut [u32; N])
    }
    assert_eq!(bits, x.map(square_root));
    println!("all square roots are right");
}
