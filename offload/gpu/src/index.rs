//! Where a thread is, and how many there are.
//!
//! | here   | CUDA, PTX           | AMD, HSA                  |
//! |--------|---------------------|---------------------------|
//! | thread | thread, `%tid`      | work-item                 |
//! | block  | block, CTA, `%ctaid`| work-group                |
//! | grid   | grid                | grid (HSA: in work-items) |

use crate::arch;

/// Defines one function per axis. All of them read a register, or, on AMD, the dispatch packet.
macro_rules! per_axis {
    ($(
        $(#[$doc:meta])*
        $x:ident $y:ident $z:ident;
    )*) => {$(
        per_axis! { $(#[$doc])* @ "x" $x }
        per_axis! { $(#[$doc])* @ "y" $y }
        per_axis! { $(#[$doc])* @ "z" $z }
    )*};
    ($(#[$doc:meta])* @ $axis:literal $name:ident) => {
        $(#[$doc])*
        ///
        #[doc = concat!("This is the value along ", $axis, ". Panics on the host.")]
        #[inline]
        #[must_use]
        pub fn $name() -> u32 {
            arch::$name()
        }
    };
}

per_axis! {
    /// The index of this thread in its block, in threads: `0 .. block_dim`.
    ///
    /// PTX special register `%tid`; on AMD the work-item id.
    thread_idx_x thread_idx_y thread_idx_z;

    /// The index of this thread's block in the grid, in blocks: `0 .. grid_dim`.
    ///
    /// PTX special register `%ctaid`; on AMD the work-group id.
    block_idx_x block_idx_y block_idx_z;

    /// The size of a block, in threads: the `thread_dim` of the launch.
    ///
    /// PTX special register `%ntid`; on AMD `workgroup_size` in the dispatch packet.
    block_dim_x block_dim_y block_dim_z;

    /// The size of the grid, in blocks: the `workgroup_dim` of the launch.
    ///
    /// PTX special register `%nctaid`. On AMD the packet has the grid's size in work-items, so that this divides it by
    /// the size of a block, rounding up: keep the value instead of calling this in a loop.
    grid_dim_x grid_dim_y grid_dim_z;
}

/// The index of this thread among all threads of the grid along x, in threads: `0 .. global_thread_count()`.
///
/// Panics on the host.
#[inline]
#[must_use]
pub fn global_thread_index() -> usize {
    // Widened first: the product may exceed 32 bits.
    block_idx_x() as usize * block_dim_x() as usize + thread_idx_x() as usize
}

/// The number of threads in the grid along x.
///
/// Panics on the host.
#[inline]
#[must_use]
pub fn global_thread_count() -> usize {
    arch::global_thread_count()
}
