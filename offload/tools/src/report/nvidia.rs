//! What a cubin says of its kernels: attributes in sections `.nv.info`, shared memory in sections of its own.
//!
//! NVIDIA documents neither. The names are those that `cuobjdump --dump-elf` prints, the numbers what it prints them for;
//! what comes out equals `cuobjdump --dump-resource-usage`.

use std::collections::BTreeMap;

use anyhow::bail;
use offload_formats::elf::{File, Section, code_object};

use super::kernels::Kernel;
use super::occupancy;

/// Attributes of all functions, each with the number of the function's symbol. Those of one kernel follow the name.
const INFO: &str = ".nv.info";
const SHARED: &str = ".nv.shared.";

const MAX_THREADS: u8 = 0x05;
const REQUIRED_THREADS: u8 = 0x10;
const FRAME_SIZE: u8 = 0x11;
const MIN_STACK_SIZE: u8 = 0x12;
const REGISTER_COUNT: u8 = 0x2f;

/// The formats of values: none, a byte, two bytes, or two bytes of size and as many bytes as they say.
const NO_VALUE: u8 = 1;
const BYTE: u8 = 2;
const HALF: u8 = 3;
const SIZED: u8 = 4;

pub fn add_resources(file: &File, kernels: &mut [Kernel]) -> anyhow::Result<()> {
    let names = code_object::symbol_names(file).map_err(anyhow::Error::msg)?;
    let mut of_functions = BTreeMap::new();
    if let Some(section) = file.section(INFO) {
        for (attribute, value) in attributes(file, section)? {
            let [function, number] = numbers(value);
            let name = function.and_then(|function| names.get(function as usize));
            if let (Some(name), Some(number)) = (name, number) {
                of_functions.insert((name.as_str(), attribute), u64::from(number));
            }
        }
    }
    for kernel in kernels {
        let of_kernel = |attribute| {
            of_functions
                .get(&(kernel.symbol.as_str(), attribute))
                .copied()
        };
        kernel.registers = of_kernel(REGISTER_COUNT);
        kernel.occupancy = kernel
            .registers
            .and_then(|registers| occupancy::nvidia(&kernel.arch, registers));
        // The stack is that of what it calls, too, the frame the kernel's own.
        let stack = of_kernel(MIN_STACK_SIZE).or(of_kernel(FRAME_SIZE));
        kernel.stack_bytes = stack;
        // They are on the stack, and so is what the source has there: only an empty one tells.
        kernel.spills = stack.filter(|&stack| stack == 0);
        kernel.lds_bytes = Some(
            file.section(&format!("{SHARED}{}", kernel.symbol))
                .map_or(0, Section::size),
        );
        if let Some(section) = file.section(&format!("{INFO}.{}", kernel.symbol)) {
            kernel.max_threads = max_threads(&attributes(file, section)?);
        }
    }
    Ok(())
}

/// A size along x, y and z.
fn max_threads(attributes: &[(u8, &[u8])]) -> Option<u64> {
    let (_, value) = attributes
        .iter()
        .find(|(attribute, _)| matches!(*attribute, MAX_THREADS | REQUIRED_THREADS))?;
    let [x, y, z] = numbers(value);
    u64::from(x?).checked_mul(y?.into())?.checked_mul(z?.into())
}

fn numbers<const N: usize>(value: &[u8]) -> [Option<u32>; N] {
    let (words, _) = value.as_chunks();
    std::array::from_fn(|index| words.get(index).copied().map(u32::from_le_bytes))
}

/// Attribute and value of each.
fn attributes<'a>(file: &File, section: &Section<'a>) -> anyhow::Result<Vec<(u8, &'a [u8])>> {
    let mut attributes = Vec::new();
    let mut rest = section.data;
    while let [format, attribute, value @ ..] = rest {
        let offset = section.offset() + (section.data.len() - rest.len()) as u64;
        // Padding at the end.
        if *format == 0 {
            break;
        }
        let (size, start) = match (*format, value) {
            (NO_VALUE | BYTE | HALF, _) => (2, 0),
            (SIZED, [low, high, ..]) => (u16::from_le_bytes([*low, *high]).into(), 2),
            (SIZED, _) => (usize::MAX, 2),
            (other, _) => bail!(
                "{} has an attribute of unknown format {other} at offset {offset}",
                file.what
            ),
        };
        let Some((value, after)) = value
            .get(start..)
            .and_then(|value| value.split_at_checked(size))
        else {
            bail!(
                "{} is truncated in the attribute at offset {offset}",
                file.what
            );
        };
        attributes.push((*attribute, value));
        rest = after;
    }
    Ok(attributes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::kernels::parse;
    use crate::testing::elf::{Elf, SHT_NOBITS, cubin, section};

    /// The number of the kernel's symbol among those that `cubin` writes.
    const SYMBOL: u32 = 3;

    fn sized(attribute: u8, numbers: &[u32]) -> Vec<u8> {
        let mut bytes = vec![SIZED, attribute];
        bytes.extend((4 * numbers.len() as u16).to_le_bytes());
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    fn image(info: &[u8], of_kernel: &[u8]) -> Elf {
        let mut image = cubin(&["_RNvC1a1f"]);
        let mut shared = section(".nv.shared._RNvC1a1f", 0, [0; 1024]);
        shared.kind = SHT_NOBITS;
        image.sections.extend([
            section(".nv.info", 0, info),
            section(".nv.info._RNvC1a1f", 0, of_kernel),
            shared,
        ]);
        image
    }

    fn kernel(image: &Elf) -> Kernel {
        let [kernel] = parse(&image.bytes()).unwrap().try_into().unwrap();
        kernel
    }

    #[test]
    fn resources() {
        let info = [
            sized(REGISTER_COUNT, &[SYMBOL, 40]),
            sized(FRAME_SIZE, &[SYMBOL, 0]),
            sized(MIN_STACK_SIZE, &[SYMBOL, 0]),
            // Of the function beside it, and of none.
            sized(REGISTER_COUNT, &[1, 99]),
            sized(REGISTER_COUNT, &[99, 99]),
            sized(REGISTER_COUNT, &[SYMBOL]),
        ];
        let of_kernel = [
            vec![HALF, 0x19, 8, 0],
            vec![NO_VALUE, 1, 0, 0],
            sized(MAX_THREADS, &[256, 2, 1]),
        ];
        assert_eq!(
            kernel(&image(&info.concat(), &of_kernel.concat())),
            Kernel {
                kernel: "a::f".into(),
                symbol: "_RNvC1a1f".into(),
                arch: "sm_90".into(),
                registers: Some(40),
                spills: Some(0),
                stack_bytes: Some(0),
                lds_bytes: Some(1024),
                max_threads: Some(512),
                occupancy: occupancy::nvidia("sm_90", 40),
                ..Kernel::default()
            }
        );
    }

    #[test]
    fn a_stack_may_hold_spills() {
        let info = [
            sized(FRAME_SIZE, &[SYMBOL, 16]),
            sized(MIN_STACK_SIZE, &[SYMBOL, 32]),
        ];
        let kernel = kernel(&image(
            &info.concat(),
            &sized(REQUIRED_THREADS, &[u32::MAX; 3]),
        ));
        assert_eq!((kernel.stack_bytes, kernel.spills), (Some(32), None));
        assert_eq!(kernel.max_threads, None, "no such block");
    }

    #[test]
    fn a_cubin_that_says_nothing() {
        let kernel = kernel(&cubin(&["_RNvC1a1f"]));
        assert_eq!(
            (kernel.registers, kernel.spills, kernel.lds_bytes),
            (None, None, Some(0))
        );
    }

    #[test]
    fn attributes_that_cannot_be_read() {
        let error = |info: &[u8]| parse(&image(info, &[]).bytes()).unwrap_err().to_string();
        let offset = parse_offset();
        assert_eq!(
            error(&[9, 1, 0, 0]),
            format!("the file has an attribute of unknown format 9 at offset {offset}")
        );
        for info in [&[SIZED, 1, 8, 0, 1][..], &[SIZED, 1], &[HALF, 1, 0]] {
            assert_eq!(
                error(info),
                format!("the file is truncated in the attribute at offset {offset}")
            );
        }
        assert!(parse(&image(&[0, 9, 9, 9], &[]).bytes()).is_ok(), "padding");
    }

    fn parse_offset() -> u64 {
        let bytes = image(&[0; 4], &[]).bytes();
        let file = File::parse(&bytes, "").unwrap();
        file.section(INFO).unwrap().offset()
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let info = [
            sized(REGISTER_COUNT, &[SYMBOL, 40]),
            sized(MIN_STACK_SIZE, &[SYMBOL, 0]),
        ];
        crate::report::tests::read_mangled(
            &image(&info.concat(), &sized(MAX_THREADS, &[1, 1, 1])).bytes(),
        );
    }
}
