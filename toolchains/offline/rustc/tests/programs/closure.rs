//! A kernel instance whose generic argument has no name on the device.
#![allow(internal_features)]
#![feature(gpu_offload)]
use core::offload::offload_kernel;

#[offload_kernel]
fn map<F: Fn(f32) -> f32>(x: *mut [f32; 4], f: F) {
    unsafe { (*x)[0] = f((*x)[0]) }
}

fn main() {
    let mut x = [1.0f32; 4];
    core::offload::offload! {
        kernel = map, workgroup_dim = [1, 1, 1], args = (&mut x as *mut [f32; 4], |value| 2.0 * value)
    }
}
