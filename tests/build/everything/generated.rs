//! A library with a build script, for both sides.
#![no_std]

pub const FROM_ENV: &str = env!("FROM_BUILD_SCRIPT");
pub const FROM_FILE: &str = include_str!(concat!(env!("OUT_DIR"), "/generated.txt"));
pub const TARGET: &str = env!("SAID_TARGET");
pub const TARGET_ARCH: &str = env!("SAID_CARGO_CFG_TARGET_ARCH");
// Not every supported rules_rust passes `cargo::rustc-check-cfg` on.
#[allow(unexpected_cfgs)]
pub const HAS_CFG: bool = cfg!(from_build_script);
