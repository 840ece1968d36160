//! The images that a program registers with the runtime, in its order.
//!
//! rustc and llvm-offload-wrapper write the same (llvm/lib/Frontend/Offloading/OffloadWrapper.cpp):
//!
//! | `__tgt_bin_desc` | `__tgt_device_image` |
//! |---|---|
//! | u32 number of images, padding | pointer to the image |
//! | pointer to the array of images | pointer to its end |
//! | `__start_llvm_offload_entries` | `__start_llvm_offload_entries` |
//! | `__stop_llvm_offload_entries` | `__stop_llvm_offload_entries` |
//!
//! The images are in the section `.llvm.offloading`, each in an OffloadBinary if the wrapper got it in one; the
//! pointers are to the machine code inside.

use super::memory::Memory;
use super::{File, entries};
use crate::offload_binary;

const CONTAINERS: &str = ".llvm.offloading";
const IMAGE_SIZE: u64 = 32;

pub struct Registered<'a> {
    /// In the program's file.
    pub offset: u64,
    pub bytes: &'a [u8],
}

/// The images of all descriptors.
///
/// A descriptor is told by its pointers to both ends of the entries: it has no name in a stripped file, and its code
/// would have to be disassembled.
pub fn registered_images<'a>(file: &File<'a>, memory: &Memory<'a, '_>) -> Vec<Registered<'a>> {
    let Some(entries) = entries::section(file) else {
        return Vec::new();
    };
    let start = entries.address();
    let Some(end) = start.checked_add(entries.size()) else {
        return Vec::new();
    };
    let mut images = Vec::new();
    for field in memory.pointers_to(start) {
        // The images themselves have such pointers, too, and what precedes theirs is no array of images.
        if let Some(descriptor) = field.checked_sub(16)
            && let Some(found) = read_descriptor(memory, descriptor, (start, end))
        {
            images.extend(found);
        }
    }
    images
}

fn read_descriptor<'a>(
    memory: &Memory<'a, '_>,
    descriptor: u64,
    entries: (u64, u64),
) -> Option<Vec<Registered<'a>>> {
    has_entries(memory, descriptor, entries)?;
    let count = memory.u32(descriptor)?;
    let array = memory.pointer(descriptor + 8)?;
    (0..u64::from(count))
        .map(|index| {
            let image = array.checked_add(IMAGE_SIZE * index)?;
            has_entries(memory, image, entries)?;
            let end = memory.pointer(image.checked_add(8)?)?;
            let (bytes, offset) = memory.range(memory.pointer(image)?, end)?;
            (!bytes.is_empty()).then_some(Registered { offset, bytes })
        })
        .collect()
}

/// Both structs end with the bounds of the entries.
fn has_entries(memory: &Memory, address: u64, (start, end): (u64, u64)) -> Option<()> {
    let bounds = [address.checked_add(16)?, address.checked_add(24)?];
    (bounds.map(|field| memory.pointer(field)) == [Some(start), Some(end)]).then_some(())
}

/// What an OffloadBinary says of the image in it.
pub struct Container {
    /// Of the image, in the program's file.
    pub image_offset: u64,
    pub triple: String,
    pub arch: String,
}

/// The OffloadBinaries, which need not be all that is in their section.
pub fn containers(file: &File) -> Result<Vec<Container>, String> {
    let Some(section) = file.section(CONTAINERS) else {
        return Ok(Vec::new());
    };
    let mut containers = Vec::new();
    let mut start = 0;
    while let Some(bytes) = section.data.get(start..).filter(|bytes| bytes.len() >= 8) {
        // Images begin at multiples of 8 (`OffloadBinary::getAlignment`).
        let mut size = 8;
        if offload_binary::has_magic(bytes) {
            let offset = section.offset() + start as u64;
            let container = container(bytes, offset)
                .map_err(|error| format!("at offset {offset} of {}: {error}", file.what))?;
            containers.push(container.0);
            size = container.1.max(8);
        }
        start = start.saturating_add(size.next_multiple_of(8));
    }
    Ok(containers)
}

fn container(bytes: &[u8], offset: u64) -> Result<(Container, usize), String> {
    let version = offload_binary::version(bytes)?;
    let bytes = offload_binary::first(bytes)?;
    let entry = offload_binary::Entry::parse(bytes, version)?;
    let string = |key| -> Result<String, String> {
        let value = entry.string(key)?;
        Ok(value.map(|(value, _)| value).unwrap_or_default())
    };
    let container = Container {
        image_offset: offset.saturating_add(entry.image_offset),
        triple: string("triple")?,
        arch: string("arch")?,
    };
    Ok((container, bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::elf::{Elf, Pointers, Program, program, rela, section};

    fn read<T>(bytes: &[u8], read: impl FnOnce(&File, &Memory) -> T) -> T {
        let file = File::parse(bytes, "the program").unwrap();
        read(&file, &Memory::new(&file).unwrap())
    }

    /// Offset and size of the images.
    fn registered(bytes: &[u8]) -> Vec<(u64, usize)> {
        read(bytes, |file, memory| {
            let images = registered_images(file, memory);
            for image in &images {
                assert!(bytes[image.offset as usize..].starts_with(image.bytes));
            }
            let range = |image: &Registered| (image.offset, image.bytes.len());
            images.iter().map(range).collect()
        })
    }

    #[test]
    fn images_in_their_order() {
        for pointers in [Pointers::Rela, Pointers::InPlace] {
            let mut program = Program {
                pointers,
                ..program()
            };
            program.images[0].container = None;
            let bytes = program.bytes();
            let found = registered(&bytes);
            let sizes: Vec<usize> = found.iter().map(|&(_, size)| size).collect();
            let images = program.images.iter();
            let wanted: Vec<usize> = images.map(|image| image.elf.bytes().len()).collect();
            assert_eq!(sizes, wanted);

            // Behind an image that is in none.
            let containers = read(&bytes, |file, _| containers(file)).unwrap();
            let [container] = &containers[..] else {
                panic!("{} containers", containers.len());
            };
            assert_eq!(container.image_offset, found[1].0);
            assert_eq!(container.triple, "nvptx64-nvidia-cuda");
            assert_eq!(container.arch, "sm_90");
        }
    }

    #[test]
    fn no_images() {
        let mut program = program();
        program.images.clear();
        assert_eq!(registered(&program.bytes()), []);
        program.has_entries_section = false;
        let bytes = program.bytes();
        assert_eq!(registered(&bytes), []);
        assert_eq!(read(&bytes, |file, _| containers(file)).unwrap().len(), 0);
    }

    #[test]
    fn other_pointers_to_the_entries() {
        const DATA: u64 = 0x2000;
        // A descriptor of one image, 16 bytes at 0x1000, whose number, pointers or bounds are changed.
        let words = [1, DATA + 32, 0x3000, 0x3038, 0x1000, 0x1010, 0x3000, 0x3038];
        let found = |words: &[u64]| {
            let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let elf = Elf {
                sections: vec![
                    section(".llvm.offloading", 0x1000, [1; 16]),
                    section(".data.rel.ro", DATA, data),
                    section("llvm_offload_entries", 0x3000, [0; 56]),
                ],
                ..Elf::default()
            };
            registered(&elf.bytes()).len()
        };
        assert_eq!(found(&words), 1);
        for (index, value) in [
            (0, 0),
            (0, 2),
            (0, u64::MAX),
            (1, 0),
            (1, DATA),
            (1, u64::MAX),
            (3, 0x3000),
            (4, 0),
            (4, 0x1010),
            (4, 0x1011),
            (5, 0x1011),
            (6, 0),
            (7, 0),
        ] {
            let mut other = words;
            other[index] = value;
            assert_eq!(found(&other), 0, "word {index} is {value:#x}");
        }
        // The start of the first word, the end of the last one.
        assert_eq!(found(&words[2..]), 0);
        assert_eq!(found(&words[..3]), 0);
    }

    #[test]
    fn pointers_at_the_ends_of_all_addresses() {
        let start = 0x3000;
        for address in [0, 8, 16, u64::MAX - 24, u64::MAX - 8, u64::MAX] {
            let next = address.wrapping_add(8);
            let elf = Elf {
                sections: vec![
                    section("llvm_offload_entries", start, [0; 56]),
                    rela(&[(address, 8, start), (next, 8, start + 56)]),
                ],
                ..Elf::default()
            };
            assert_eq!(registered(&elf.bytes()), [], "{address:#x}");
        }
        let elf = Elf {
            sections: vec![section("llvm_offload_entries", u64::MAX - 8, [0; 56])],
            ..Elf::default()
        };
        assert_eq!(registered(&elf.bytes()), []);
    }

    #[test]
    fn a_container_that_cannot_be_read() {
        let mut bytes = program().bytes();
        let first = read(&bytes, |file, _| file.section(CONTAINERS).unwrap().offset());
        // Its size.
        bytes[first as usize + 8..][..8].fill(0xff);
        let error = read(&bytes, |file, _| containers(file).err().unwrap());
        let start = format!("at offset {first} of the program: the device image is truncated");
        assert!(error.starts_with(&start), "{error}");
    }
}
