//! Starting a kernel.

/// Starts a kernel on the default device and waits until it is done and its results are back.
///
/// ```ignore (needs a GPU and rustc's offload passes)
/// gpu::launch! {
///     kernel = saxpy,                 // a function with `#[gpu::offload_kernel]`
///     workgroup_dim = [1024, 1, 1],   // blocks in the grid, `[u32; 3]`
///     thread_dim = [256, 1, 1],       // threads in a block, `[u32; 3]`; default `[1, 1, 1]`
///     dyn_cache = 0,                  // bytes of memory shared by a block, `u32`; default 0
///     args = (3.0, x.as_slice(), y.as_mut_slice() as *mut [f32]),
/// }
/// ```
///
/// The order is fixed. `args` is a tuple, `(x,)` if there is one argument; the kernel's generic parameters are inferred
/// from it. The types of the kernel's parameters decide what is copied:
///
/// | parameter                              | to the device | back |
/// |----------------------------------------|---------------|------|
/// | `bool`, `char`, integers, floats       | by value      |      |
/// | `&T`, `*const T`, `&[T]`, `*const [T]` | yes           |      |
/// | `&mut T`, `*mut T`, `&mut [T]`, `*mut [T]` | yes       | yes  |
///
/// As many bytes are copied as the pointee has: give arrays and slices, since `*mut f32` copies one number. Many threads
/// run the kernel with the same arguments, so take `*mut [T]`, not `&mut [T]`, for what they write.
///
/// rustc ignores a launch that fails. Run with `OMP_TARGET_OFFLOAD=MANDATORY` to have it abort the program instead.
///
/// On the device side this compiles to a panic, so that a launcher in a library of kernels needs no `cfg`. It needs to
/// be generic or `#[inline]` though: rustc has to generate the launch in the crate that becomes the executable.
#[cfg(not(offload_device))]
#[macro_export]
macro_rules! launch {
    ($($launch:tt)*) => {
        $crate::launch::offload! { $($launch)* }
    };
}

/// Host only: panics.
#[cfg(offload_device)]
#[macro_export]
macro_rules! launch {
    // The arguments are evaluated for the sake of lints about unused variables. The kernel is not mentioned: on the
    // device it is a function of another kind.
    (kernel = $kernel:expr, $($name:ident = $value:expr),* $(,)?) => {{
        $(let _ = $value;)*
        $crate::launch::host_only()
    }};
}

/// Returns nothing rather than `!`, which would make rustc warn about unreachable code after the launch.
#[cfg(offload_device)]
#[cold]
#[doc(hidden)]
pub fn host_only() {
    panic!("gpu::launch! was called on the device, it works on the host only")
}

// A rustc that has the macro shadows the fallback, which the glob brings in, with a name of its own.
#[allow(unused_imports)]
pub use fallback::*;

#[cfg_accessible(::core::offload::offload)]
pub use core::offload::offload;

#[allow(unused_imports)]
mod fallback {
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __offload_missing {
        ($($launch:tt)*) => {
            ::core::compile_error!(
                "gpu::launch! needs core::offload::offload!, which this rustc does not have. Use a nightly of 2026-09-09 or later"
            )
        };
    }
    pub use __offload_missing as offload;
}
