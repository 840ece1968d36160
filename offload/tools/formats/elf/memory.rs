//! What is at an address when the program runs, but for the address that it is loaded at.

use std::collections::BTreeMap;

use object::elf::{EM_X86_64, R_X86_64_RELATIVE, SHT_PROGBITS, SHT_RELA};
use object::read::elf::{Rela, SectionHeader};

use super::{ENDIAN, File, Section};

pub struct Memory<'a, 'file> {
    sections: Vec<&'file Section<'a>>,
    /// Address of a pointer, and what the dynamic linker writes there.
    relocations: BTreeMap<u64, u64>,
}

impl<'a, 'file> Memory<'a, 'file> {
    pub fn new(file: &'file File<'a>) -> Result<Self, String> {
        let machine = file.machine();
        if machine != EM_X86_64 {
            return Err(format!(
                "{} is for the ELF machine {} (at offset 18). Hosts are x86-64, {}",
                file.what, machine.0, EM_X86_64.0
            ));
        }
        let mut relocations = BTreeMap::new();
        for section in file.sections_of_type(SHT_RELA) {
            if !section.is_loaded() {
                continue;
            }
            let rela = section.header.rela(ENDIAN, file.bytes);
            let Some((entries, _)) = rela.map_err(|error| file.invalid(error))? else {
                continue;
            };
            for entry in entries {
                if entry.r_type(ENDIAN, false) == R_X86_64_RELATIVE {
                    relocations.insert(entry.r_offset(ENDIAN), entry.r_addend(ENDIAN) as u64);
                }
            }
        }
        Ok(Self {
            sections: file
                .sections
                .iter()
                .filter(|section| section.is_loaded() && !section.data.is_empty())
                .collect(),
            relocations,
        })
    }

    /// From an address to the end of its section, and the offset in the file.
    pub fn at(&self, address: u64) -> Option<(&'a [u8], u64)> {
        self.sections.iter().find_map(|section| {
            let start = address.checked_sub(section.address())?;
            let bytes = section.data.get(usize::try_from(start).ok()?..)?;
            (!bytes.is_empty()).then_some((bytes, section.offset() + start))
        })
    }

    /// From one address to another one in the same section, and the offset in the file.
    pub fn range(&self, start: u64, end: u64) -> Option<(&'a [u8], u64)> {
        let (bytes, offset) = self.at(start)?;
        let size = usize::try_from(end.checked_sub(start)?).ok()?;
        Some((bytes.get(..size)?, offset))
    }

    pub fn u32(&self, address: u64) -> Option<u32> {
        let (bytes, _) = self.at(address)?;
        bytes.first_chunk().copied().map(u32::from_le_bytes)
    }

    /// The pointer at an address. One in a RELR section (.relr.dyn) is in place, as in a program that is not relocated.
    pub fn pointer(&self, address: u64) -> Option<u64> {
        if let Some(&target) = self.relocations.get(&address) {
            return Some(target);
        }
        let (bytes, _) = self.at(address)?;
        bytes.first_chunk().copied().map(u64::from_le_bytes)
    }

    /// The NUL-terminated string at an address.
    pub fn string(&self, address: u64) -> Option<&'a [u8]> {
        let (bytes, _) = self.at(address)?;
        bytes.split(|&byte| byte == 0).next().filter(|string| {
            // One that goes on to the end of the section has no NUL.
            string.len() < bytes.len()
        })
    }

    /// Where pointers to an address may be, in order.
    pub fn pointers_to(&self, target: u64) -> Vec<u64> {
        let mut addresses: Vec<u64> = self
            .relocations
            .iter()
            .filter(|&(_, &to)| to == target)
            .map(|(&address, _)| address)
            .collect();
        // Not in .rela.dyn, where the addends are.
        let with_data = |section: &&&Section| section.header.sh_type(ENDIAN) == SHT_PROGBITS;
        for section in self.sections.iter().filter(with_data) {
            let start = section.address().wrapping_neg() % 8;
            let words = section.data.get(start as usize..).unwrap_or_default();
            for (index, word) in words.as_chunks().0.iter().enumerate() {
                if *word == target.to_le_bytes() {
                    let offset = start + 8 * index as u64;
                    addresses.extend(section.address().checked_add(offset));
                }
            }
        }
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::elf::{Elf, R_RELATIVE, rela, section};

    fn elf() -> Elf {
        let mut data = section(".data", 0x1004, []);
        data.data.extend([0; 4]);
        data.data.extend(0x2000u64.to_le_bytes());
        data.data.extend(0u64.to_le_bytes());
        data.data.extend(b"name\0end");
        let mut zero = section(".bss", 0x2000, [0; 8]);
        zero.kind = 8;
        let mut unloaded = section(".comment", 0, [7; 8]);
        unloaded.flags = 0;
        Elf {
            sections: vec![
                data,
                zero,
                unloaded,
                rela(&[
                    (0x1010, R_RELATIVE, 0x2000),
                    // R_X86_64_64: what it writes depends on another file.
                    (0x1018, 1, 0x2000),
                ]),
            ],
            ..Elf::default()
        }
    }

    #[test]
    fn pointers() {
        let bytes = elf().bytes();
        let file = File::parse(&bytes, "the program").unwrap();
        let memory = Memory::new(&file).unwrap();
        assert_eq!(memory.pointer(0x1008), Some(0x2000));
        assert_eq!(memory.pointer(0x1010), Some(0x2000));
        assert_eq!(memory.pointers_to(0x2000), [0x1008, 0x1010]);
        assert_eq!(memory.pointer(0x101c), None, "4 bytes from the end");
        assert_eq!(memory.pointer(u64::MAX), None);
        assert_eq!(memory.u32(0x1008), Some(0x2000));
        assert_eq!(memory.at(0), None, "a section that is not loaded");
        assert_eq!(memory.at(0x2000), None, "zeros that are not in the file");
    }

    #[test]
    fn strings_and_ranges() {
        let bytes = elf().bytes();
        let file = File::parse(&bytes, "the program").unwrap();
        let memory = Memory::new(&file).unwrap();
        assert_eq!(memory.string(0x1018), Some(&b"name"[..]));
        assert_eq!(memory.string(0x101d), None, "no NUL");
        assert_eq!(memory.string(0x1020), None, "the end of the section");
        let (name, offset) = memory.range(0x1018, 0x101c).unwrap();
        assert_eq!(name, b"name");
        assert!(bytes[offset as usize..].starts_with(b"name\0end"));
        assert_eq!(memory.range(0x1018, 0x1021), None);
        assert_eq!(memory.range(0x1018, 0x1017), None);
    }

    #[test]
    fn another_host() {
        let mut elf = elf();
        elf.machine = 183;
        let bytes = elf.bytes();
        let file = File::parse(&bytes, "the program").unwrap();
        assert_eq!(
            Memory::new(&file).err().unwrap(),
            "the program is for the ELF machine 183 (at offset 18). Hosts are x86-64, 62"
        );
    }
}
