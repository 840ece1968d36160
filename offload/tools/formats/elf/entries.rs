//! The kernels that the host launches, by their names in the images.
//!
//! The section `llvm_offload_entries` is an array of `llvm::offloading::EntryTy`, the runtime's `__tgt_offload_entry`.
//! (llvm/Frontend/Offloading/Utility.h)
//!
//! | offset | field |
//! |---|---|
//! | 0 | u64 reserved, zero; in the layout before version 1 a pointer |
//! | 8 | u16 version, 1 |
//! | 10 | u16 offload kind |
//! | 12 | u32 flags |
//! | 16 | pointer to what stands for it on the host |
//! | 24 | pointer to the name |
//! | 32 | u64 size, 0 for a kernel |
//! | 40 | u64 data |
//! | 48 | pointer, mostly null |

use std::collections::BTreeSet;

use super::memory::Memory;
use super::{File, Section};
use crate::offload_binary::OFFLOAD_KIND_OPENMP;

const SECTION: &str = "llvm_offload_entries";
const SIZE: u64 = 56;
const VERSION: u16 = 1;
/// `OMP_REGISTER_REQUIRES` (offload/include/omptarget.h)
const REQUIREMENTS: u32 = 0x10;

/// The section. The linker names its bounds `__start_llvm_offload_entries` and `__stop_llvm_offload_entries`.
pub fn section<'a, 'file>(file: &'file File<'a>) -> Option<&'file Section<'a>> {
    file.section(SECTION)
}

/// The names of the kernels. Two crates that launch the same kernel have an entry each.
pub fn launched_kernels(file: &File, memory: &Memory) -> Result<BTreeSet<String>, String> {
    let Some(section) = section(file) else {
        return Ok(BTreeSet::new());
    };
    let (entries, rest) = section.data.as_chunks::<{ SIZE as usize }>();
    if !rest.is_empty() {
        return Err(format!(
            "the section {SECTION} at offset {} of {} has {} bytes. An entry has {SIZE}",
            section.offset(),
            file.what,
            section.data.len()
        ));
    }
    let mut kernels = BTreeSet::new();
    for (index, entry) in entries.iter().enumerate() {
        let start = SIZE * index as u64;
        let offset = section.offset() + start;
        let version = u16::from_le_bytes([entry[8], entry[9]]);
        if entry[..8] != [0; 8] || version != VERSION {
            return Err(format!(
                "the entry at offset {offset} of {} is of version {version}, or older than versions. Its layout is known for version {VERSION} only",
                file.what
            ));
        }
        // As the runtime: entries for others are not its own, what has a size is a variable, and requirements of the
        // program stand for nothing on the device. (offload/libomptarget/PluginManager.cpp)
        let is_openmp = u16::from_le_bytes([entry[10], entry[11]]) == OFFLOAD_KIND_OPENMP;
        let flags = u32::from_le_bytes([entry[12], entry[13], entry[14], entry[15]]);
        if !is_openmp || entry[32..40] != [0; 8] || flags == REQUIREMENTS {
            continue;
        }
        let name = section
            .address()
            .checked_add(start + 24)
            .and_then(|field| memory.pointer(field))
            .and_then(|address| memory.string(address))
            .filter(|name| !name.is_empty());
        let Some(name) = name else {
            return Err(format!(
                "the entry at offset {offset} of {} has no name. The pointer at offset {} leads to no string",
                file.what,
                offset + 24
            ));
        };
        kernels.insert(String::from_utf8_lossy(name).into_owned());
    }
    Ok(kernels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::elf::{Entry, Pointers, Program, program};

    fn kernels(program: &Program) -> Result<BTreeSet<String>, String> {
        let bytes = program.bytes();
        let file = File::parse(&bytes, "the program")?;
        launched_kernels(&file, &Memory::new(&file)?)
    }

    #[test]
    fn names_behind_every_kind_of_pointer() {
        for pointers in [Pointers::Rela, Pointers::InPlace] {
            let program = Program {
                pointers,
                ..program()
            };
            assert_eq!(
                kernels(&program),
                Ok(BTreeSet::from(["_RNvC1a1f".into(), "_RNvC1b1g".into()]))
            );
        }
    }

    #[test]
    fn variables_and_the_entries_of_others_are_no_kernels() {
        let mut program = program();
        program.entries.push(Entry {
            name: "variable",
            size: 8,
            ..Entry::default()
        });
        program.entries.push(Entry {
            name: "for_cuda",
            kind: 2,
            ..Entry::default()
        });
        // OpenMP's "requires", of C++.
        program.entries.push(Entry {
            name: "",
            flags: 0x10,
            ..Entry::default()
        });
        // Launched by two crates.
        program.entries.push(Entry {
            name: "_RNvC1a1f",
            ..Entry::default()
        });
        assert_eq!(
            kernels(&program),
            Ok(BTreeSet::from(["_RNvC1a1f".into(), "_RNvC1b1g".into()]))
        );
    }

    #[test]
    fn no_entries() {
        let mut program = program();
        program.entries.clear();
        assert_eq!(kernels(&program), Ok(BTreeSet::new()));
        program.has_entries_section = false;
        assert_eq!(kernels(&program), Ok(BTreeSet::new()));
    }

    #[test]
    fn another_layout() {
        let mut other = program();
        other.entries[1].version = 2;
        let bytes = other.bytes();
        let file = File::parse(&bytes, "the program").unwrap();
        let offset = section(&file).unwrap().offset();
        assert_eq!(
            kernels(&other).unwrap_err(),
            format!(
                "the entry at offset {} of the program is of version 2, or older than versions. Its layout is known for version 1 only",
                offset + 56
            )
        );
        let mut old = program();
        old.entries[0].reserved = 1;
        assert!(kernels(&old).unwrap_err().contains("older than versions"));
        let mut odd = program();
        odd.entries_end = vec![0; 8];
        assert_eq!(
            kernels(&odd).unwrap_err(),
            format!(
                "the section llvm_offload_entries at offset {offset} of the program has 120 bytes. An entry has 56"
            )
        );
    }

    #[test]
    fn no_name() {
        for name in ["", "no end"] {
            let mut program = program();
            program.entries.truncate(1);
            program.entries[0].name = name;
            program.names_end_with_nul = name.is_empty();
            let bytes = program.bytes();
            let file = File::parse(&bytes, "the program").unwrap();
            let offset = section(&file).unwrap().offset();
            assert_eq!(
                kernels(&program).unwrap_err(),
                format!(
                    "the entry at offset {offset} of the program has no name. The pointer at offset {} leads to no string",
                    offset + 24
                )
            );
        }
    }
}
