//! `Vec` in a kernel: the crate `alloc` on the device, with an allocator of this program.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]
// Slices: rustc passes one to a kernel as pointer and length, and warns that a C caller would not know that.
#![allow(improper_ctypes_definitions, improper_gpu_kernel_arg)]

extern crate alloc;

use alloc::vec::Vec;

/// Memory for the kernels, which is never given back: a new launch finds what earlier ones have left.
#[cfg(offload_device)]
mod arena {
    use core::alloc::{GlobalAlloc, Layout};
    use core::cell::UnsafeCell;
    use core::ptr::null_mut;
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    const BYTES: usize = 8 << 20;

    #[repr(align(16))]
    struct Arena {
        memory: UnsafeCell<[u8; BYTES]>,
        used: AtomicUsize,
    }

    // SAFETY: no byte is handed out twice.
    unsafe impl Sync for Arena {}

    #[global_allocator]
    static ARENA: Arena = Arena {
        memory: UnsafeCell::new([0; BYTES]),
        used: AtomicUsize::new(0),
    };

    // SAFETY: `used` only grows, and by enough for the size and the alignment of each allocation.
    unsafe impl GlobalAlloc for Arena {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let memory = self.memory.get().cast::<u8>();
            let needed = layout.size() + layout.align() - 1;
            let start = self.used.fetch_add(needed, Relaxed);
            if start + needed > BYTES {
                return null_mut();
            }
            let gap = memory.wrapping_add(start).align_offset(layout.align());
            memory.wrapping_add(start + gap)
        }

        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }
}

/// The divisors of `n`, as many as there are.
fn divisors(n: u32) -> Vec<u32> {
    (1..=n).filter(|d| n % d == 0).collect()
}

/// `sums[i]` becomes the sum of the divisors of `i`.
#[gpu::offload_kernel]
fn sum_divisors(sums: *mut [u32]) {
    for i in gpu::grid_stride(sums.len()) {
        // SAFETY: no other thread has this index.
        unsafe { (*sums)[i] = divisors(i as u32).iter().sum() };
    }
}

#[cfg(not(offload_device))]
fn main() {
    let mut sums = vec![0u32; 4096];
    gpu::launch! {
        kernel = sum_divisors,
        workgroup_dim = [32, 1, 1],
        thread_dim = [128, 1, 1],
        args = (sums.as_mut_slice() as *mut [u32],),
    }
    for (i, &sum) in sums.iter().enumerate() {
        assert_eq!(sum, divisors(i as u32).iter().sum(), "sums[{i}]");
    }
    println!(
        "all {} sums are right, that of 4095 is {}",
        sums.len(),
        sums[4095]
    );
}
