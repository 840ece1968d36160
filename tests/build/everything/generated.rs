//! A library with a build script.

pub const FROM_ENV: &str = env!("FROM_BUILD_SCRIPT");
pub const FROM_FILE: &str = include_str!(concat!(env!("OUT_DIR"), "/generated.txt"));
// Not every supported rules_rust passes `cargo::rustc-check-cfg` on.
#[allow(unexpected_cfgs)]
pub const HAS_CFG: bool = cfg!(from_build_script);
