//! A kernel that writes far behind its buffer, for memory checkers to find.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

#[gpu::offload_kernel]
fn write_behind(x: *mut [u32; 256]) {
    let behind = x.cast::<u32>().wrapping_add(1 << 30);
    unsafe { *behind = 1 };
}

#[cfg(not(offload_device))]
fn main() {
    let mut x = [0u32; 256];
    gpu::launch! { kernel = write_behind, workgroup_dim = [1, 1, 1], args = (&mut x as *mut [u32; 256],) }
}
