//! Launches a kernel of a library that only the host has.
#![cfg_attr(offload_device, no_std)]

#[cfg(not(offload_device))]
fn main() {
    let mut x = [0; 64];
    plain_kernels::launch_fill(&mut x);
    assert_eq!(x, [1; 64]);
}
