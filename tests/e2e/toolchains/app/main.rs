#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

#[gpu::offload_kernel]
fn double(x: *mut [f32; 256]) {
    let i = gpu::global_thread_index();
    if i < 256 {
        unsafe { (*x)[i] *= 2.0 };
    }
}

#[cfg(not(offload_device))]
unsafe extern "C" {
    safe fn made_by_clang() -> bool;
}

#[cfg(not(offload_device))]
fn main() {
    println!("native code made by clang: {}", made_by_clang());
    let mut x = [1.0f32; 256];
    gpu::launch! { kernel = double, workgroup_dim = [256, 1, 1], args = (&mut x as *mut [f32; 256],) }
    println!("{}", x[0]);
}
