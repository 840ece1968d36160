#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

mod kernels;

#[cfg(not(offload_device))]
mod host;

#[cfg(not(offload_device))]
fn main() {
    host::run();
}
