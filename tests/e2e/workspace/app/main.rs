//! Launches a kernel of a library with two types.
#![cfg_attr(offload_device, no_std)]

#[cfg(not(offload_device))]
fn main() {
    let mut x = [1.0f32; 64];
    kernels::launch_add(&mut x, 1.5);
    assert!(x.iter().all(|&v| v == 2.5));
    let mut y = [1u32; 64];
    kernels::launch_add(&mut y, 41);
    assert!(y.iter().all(|&v| v == 42));
    println!("both sums are right");
}
