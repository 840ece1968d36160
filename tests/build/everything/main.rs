//! Uses every way to bring something into a crate. With the argument `host` it prints what came, and launches nothing.

#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

use core::offload::offload_kernel;

/// The library of both sides, the proc macro and, on the device, the library of that side.
#[offload_kernel]
fn kernel(x: *mut [u32; 1]) {
    let value = shared::twice(macros::forty_two!());
    #[cfg(offload_device)]
    let value = device_only::plus_one(value);
    // SAFETY: one thread is launched.
    unsafe { (*x)[0] = value };
}

#[cfg(offload_device)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[cfg(not(offload_device))]
unsafe extern "C" {
    safe fn native_value() -> i32;
    safe fn shared_value() -> i32;
}

#[cfg(not(offload_device))]
fn main() {
    if std::env::args().nth(1).as_deref() == Some("host") {
        println!("aliased library: {}", shared::twice(21));
        println!("build script, cfg: {}", generated::HAS_CFG);
        println!("build script, env: {}", generated::FROM_ENV);
        println!("build script, file: {}", generated::FROM_FILE);
        println!("build script, target: {}", generated::TARGET);
        println!("build script, target's arch: {}", generated::TARGET_ARCH);
        println!("C library: {}", native_value());
        println!("C library, shared: {}", shared_value());
        println!("compile_data: {}", include_str!("compile_data.txt").trim());
        println!("device feature: {}", cfg!(feature = "on_the_device"));
        println!("feature: {}", cfg!(feature = "on_both_sides"));
        println!("proc macro: {}", macros::forty_two!());
        println!("rustc_env: {}", env!("PLAIN"));
        println!(
            "rustc_env, location: {}",
            include_str!(env!("LOCATION")).trim()
        );
        println!("rustc_env_files: {}", env!("FROM_FILE"));
        println!("stamp: {}", env!("STAMP"));
        println!("version: {}", env!("CARGO_PKG_VERSION"));
        return;
    }
    let mut x = [0u32];
    core::offload::offload! {
        kernel = kernel,
        workgroup_dim = [1, 1, 1],
        args = (&mut x as *mut [u32; 1],),
    }
    assert_eq!(x, [85]);
}

#[cfg(offload_device)]
const _: () = {
    assert!(generated::HAS_CFG);
    assert!(same(generated::TARGET, "amdgcn-amd-amdhsa"));
    assert!(same(generated::TARGET_ARCH, "amdgpu"));
};

#[cfg(offload_device)]
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

#[cfg(all(offload_device, not(feature = "on_the_device")))]
compile_error!("the device side lacks its feature");
#[cfg(not(feature = "on_both_sides"))]
compile_error!("one side lacks the feature of both");
#[cfg(all(offload_device, not(device_flag)))]
compile_error!("the device side lacks its flag");
#[cfg(all(not(offload_device), not(host_flag)))]
compile_error!("the host side lacks its flag");
