//! Functions with `#[test]` that launch kernels, as in any Rust test.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

#[gpu::offload_kernel]
fn add(x: *mut [f32; 256], y: *mut [f32; 256]) {
    let i = gpu::global_thread_index();
    if i < 256 {
        unsafe { (*y)[i] += (*x)[i] };
    }
}

#[cfg(test)]
mod tests {
    /// A kernel that only tests have.
    #[gpu::offload_kernel]
    fn fill<T: Copy>(x: *mut [T; 256], value: T) {
        let i = gpu::global_thread_index();
        if i < 256 {
            unsafe { (*x)[i] = value };
        }
    }

    #[test]
    fn adds() {
        let mut x = [2.0f32; 256];
        let mut y = [1.0f32; 256];
        gpu::launch! {
            kernel = super::add,
            workgroup_dim = [256, 1, 1],
            args = (&mut x as *mut [f32; 256], &mut y as *mut [f32; 256]),
        }
        assert_eq!(y, [3.0; 256]);
    }

    #[test]
    fn fills() {
        let mut x = [0u32; 256];
        gpu::launch! { kernel = fill::<u32>, workgroup_dim = [256, 1, 1], args = (&mut x as *mut [u32; 256], 7) }
        assert_eq!(x, [7; 256]);
    }

    #[test]
    #[should_panic(expected = "the kernel wrote 7")]
    fn a_wrong_value_is_caught() {
        let mut x = [0u32; 256];
        gpu::launch! { kernel = fill::<u32>, workgroup_dim = [256, 1, 1], args = (&mut x as *mut [u32; 256], 7) }
        assert_eq!(x[0], 8, "the kernel wrote {}", x[0]);
    }
}
