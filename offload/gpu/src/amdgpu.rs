//! AMD: indices are in registers, sizes in the packet that the kernel was dispatched with.

use core::arch::amdgpu;
use core::intrinsics::gpu::amdgpu_dispatch_ptr;
use core::mem::offset_of;
use core::num::NonZero;

pub use amdgpu::{
    workgroup_id_x as block_idx_x, workgroup_id_y as block_idx_y, workgroup_id_z as block_idx_z,
    workitem_id_x as thread_idx_x, workitem_id_y as thread_idx_y, workitem_id_z as thread_idx_z,
};

/// The start of `hsa_kernel_dispatch_packet_t`.
/// (HSA Platform System Architecture Specification 1.2, "Kernel dispatch packet")
#[repr(C)]
struct DispatchPacket {
    header: u16,
    setup: u16,
    /// In work-items. A packet with a zero is invalid.
    workgroup_size: [NonZero<u16>; 3],
    reserved: u16,
    /// In work-items. A packet with a zero is invalid.
    grid_size: [NonZero<u32>; 3],
}

const _: () = {
    assert!(offset_of!(DispatchPacket, workgroup_size) == 4);
    assert!(offset_of!(DispatchPacket, grid_size) == 12);
};

#[inline]
fn packet() -> &'static DispatchPacket {
    // SAFETY: every kernel is dispatched with such a packet, aligned to 64 bytes and constant while the kernel runs.
    unsafe { &*amdgpu_dispatch_ptr().cast() }
}

#[inline]
fn block_dim(axis: usize) -> NonZero<u32> {
    packet().workgroup_size[axis].into()
}

#[inline]
fn grid_dim(axis: usize) -> u32 {
    // Rounds up, and unlike `(grid_size + block_dim - 1) / block_dim` does not overflow.
    (packet().grid_size[axis].get() - 1) / block_dim(axis) + 1
}

#[inline]
pub fn block_dim_x() -> u32 {
    block_dim(0).get()
}

#[inline]
pub fn block_dim_y() -> u32 {
    block_dim(1).get()
}

#[inline]
pub fn block_dim_z() -> u32 {
    block_dim(2).get()
}

#[inline]
pub fn grid_dim_x() -> u32 {
    grid_dim(0)
}

#[inline]
pub fn grid_dim_y() -> u32 {
    grid_dim(1)
}

#[inline]
pub fn grid_dim_z() -> u32 {
    grid_dim(2)
}

/// The packet counts work-items, so that this needs no division.
#[inline]
pub fn global_thread_count() -> usize {
    packet().grid_size[0].get() as usize
}
