//! Sharing out an index range among the threads of a grid.

use crate::{global_thread_count, global_thread_index};

/// The indices in `0 .. len` that are this thread's: all threads along x together visit each index exactly once.
///
/// Neighbouring threads get neighbouring indices, so that their memory accesses coalesce. The launch may have any number
/// of threads, also fewer or more than `len`.
///
/// `len` is the length of something in memory, at most `isize::MAX`. Panics on the host.
#[inline]
#[must_use]
pub fn grid_stride(len: usize) -> GridStride {
    GridStride {
        next: global_thread_index(),
        len,
        stride: global_thread_count(),
    }
}

/// See [`grid_stride`].
// Not `(start..len).step_by(stride)`: that one counts its steps ahead, with a 64-bit division.
#[derive(Clone, Debug)]
pub struct GridStride {
    next: usize,
    len: usize,
    stride: usize,
}

impl Iterator for GridStride {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let index = self.next;
        if index < self.len {
            // Cannot overflow: `len` is at most `isize::MAX`, and no GPU runs more than 2^63 threads.
            self.next = index + self.stride;
            Some(index)
        } else {
            None
        }
    }
}
