//! NVIDIA: the PTX special registers `%tid`, `%ctaid`, `%ntid` and `%nctaid`.
//! ("Special Registers" in the PTX ISA reference)

use core::arch::nvptx;

/// `core::arch` declares these unsafe, like all of its NVPTX functions.
macro_rules! read {
    ($($name:ident = $register:ident;)*) => {$(
        #[inline]
        pub fn $name() -> u32 {
            // SAFETY: reading a special register has neither preconditions nor effects.
            unsafe { nvptx::$register() }
        }
    )*};
}

read! {
    thread_idx_x = _thread_idx_x;
    thread_idx_y = _thread_idx_y;
    thread_idx_z = _thread_idx_z;
    block_idx_x = _block_idx_x;
    block_idx_y = _block_idx_y;
    block_idx_z = _block_idx_z;
    block_dim_x = _block_dim_x;
    block_dim_y = _block_dim_y;
    block_dim_z = _block_dim_z;
    grid_dim_x = _grid_dim_x;
    grid_dim_y = _grid_dim_y;
    grid_dim_z = _grid_dim_z;
}

#[inline]
pub fn global_thread_count() -> usize {
    grid_dim_x() as usize * block_dim_x() as usize
}
