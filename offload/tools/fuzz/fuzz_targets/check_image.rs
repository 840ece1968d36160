//! What the validation of a device image reads.

#![no_main]

use offload_formats::offload_binary::{Entry, version};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(version) = version(bytes) else { return };
    if let Ok(entry) = Entry::parse(bytes, version) {
        for key in ["triple", "arch", ""] {
            let _ = entry.string(key);
        }
    }
});
