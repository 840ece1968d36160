//! A kernel that computes something else than its test expects.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

#[gpu::offload_kernel]
fn double(x: *mut [f32; 256]) {
    let i = gpu::global_thread_index();
    if i < 256 {
        unsafe { (*x)[i] *= 3.0 };
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        let mut x = [1.0f32; 256];
        gpu::launch! { kernel = super::double, workgroup_dim = [256, 1, 1], args = (&mut x as *mut [f32; 256],) }
        assert_eq!(x[255], 2.0);
    }
}
