//! A library of the device side.
#![no_std]

#[cfg(not(offload_device))]
compile_error!("this library is for the device side");

pub fn plus_one(x: u32) -> u32 {
    x + 1
}
