#![no_std]

pub const FACTOR: u8 = macros::same!(2);
