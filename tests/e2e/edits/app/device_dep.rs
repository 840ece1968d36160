#![no_std]

pub const FACTOR: u8 = 2;
