//! The formats of offloading: OffloadBinary, linked images, and what a program has of both.

#![forbid(unsafe_code)]

pub mod elf;
pub mod kernel_name;
pub mod llvm_version;
pub mod offload_binary;
pub mod offload_content;
#[cfg(test)]
mod testing;
