//! The host has no thread index. These exist so that the functions that kernels call compile for the host.

macro_rules! device_only {
    ($($name:ident -> $type:ty;)*) => {$(
        #[cold]
        pub fn $name() -> $type {
            panic!(concat!("gpu::", stringify!($name), " was called on the host, it works in kernels only"))
        }
    )*};
}

device_only! {
    thread_idx_x -> u32;
    thread_idx_y -> u32;
    thread_idx_z -> u32;
    block_idx_x -> u32;
    block_idx_y -> u32;
    block_idx_z -> u32;
    block_dim_x -> u32;
    block_dim_y -> u32;
    block_dim_z -> u32;
    grid_dim_x -> u32;
    grid_dim_y -> u32;
    grid_dim_z -> u32;
    global_thread_count -> usize;
}
