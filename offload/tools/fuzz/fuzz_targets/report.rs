//! Whatever `offload report` reads: images of both vendors, programs, AMD's metadata, NVIDIA's attributes.

#![no_main]

#[path = "../../src/report"]
mod report {
    pub mod amd;
    pub mod kernels;
    pub mod nvidia;
    pub mod occupancy;
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = report::kernels::parse(bytes);
});
