//! Whatever `offload inspect` reads: OffloadBinaries, images, objects, programs.

#![no_main]

#[path = "../../src/inspect"]
mod inspect {
    pub mod contents;
    mod inflate;
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = inspect::contents::parse(bytes);
});
