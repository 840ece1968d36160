//! The device's panic handler.

/// Traps. Looping instead would hang the host, and there is nowhere to write a message to.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::intrinsics::abort()
}
