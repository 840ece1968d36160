#[gpu::offload_kernel]
pub fn scale<T: Copy + core::ops::MulAssign + From<u8>>(x: *mut [T; 256]) {
    let i = gpu::global_thread_index();
    if i < 256 {
        unsafe { (*x)[i] *= T::from(factor()) };
    }
}

#[cfg(offload_device)]
fn factor() -> u8 {
    device_dep::FACTOR
}

#[cfg(not(offload_device))]
#[allow(dead_code)]
fn factor() -> u8 {
    0
}
