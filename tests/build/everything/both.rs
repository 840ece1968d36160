//! A library of both sides.
#![no_std]

pub fn twice(x: u32) -> u32 {
    2 * x
}
