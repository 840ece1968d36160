//! A kernel that never returns.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

#[gpu::offload_kernel]
fn wait_for_nobody(x: *mut [u32; 1]) {
    while unsafe { core::ptr::read_volatile(&raw const (*x)[0]) } == 0 {}
}

#[cfg(test)]
mod tests {
    #[test]
    fn hangs() {
        let mut x = [0u32; 1];
        gpu::launch! { kernel = super::wait_for_nobody, workgroup_dim = [1, 1, 1], args = (&mut x as *mut [u32; 1],) }
    }
}
