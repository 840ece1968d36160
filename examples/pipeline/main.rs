//! Launches the kernels of a library in sequence and checks what comes out of each.

#![cfg_attr(offload_device, no_std)]

#[cfg(not(offload_device))]
fn main() {
    use pipeline_kernels::{histogram, quantize, scale};

    const LEN: usize = 1_000_000;

    let mut values: Vec<f32> = (0..LEN).map(|i| (i % 64) as f32).collect();
    scale(&mut values, 0.25);
    assert!((0..LEN).all(|i| values[i] == (i % 64) as f32 * 0.25));

    let mut levels = vec![0; LEN];
    quantize(&values, &mut levels);
    assert!((0..LEN).all(|i| levels[i] == (i % 64) as u32 / 4));

    scale(&mut levels, 2);
    assert!((0..LEN).all(|i| levels[i] == (i % 64) as u32 / 4 * 2));

    // The levels are the even numbers from 0 to 30, of which the last bin takes 14 and up.
    let bins = histogram::<15>(&levels);
    let mut expected = [0; 15];
    for &level in &levels {
        expected[level.min(14) as usize] += 1;
    }
    assert_eq!(bins, expected);

    println!("all checks passed: {bins:?}");
}
