//! ELF files: the program, and the images of both vendors.

pub mod code_object;
pub mod descriptors;
pub mod dynamic;
pub mod entries;
pub mod memory;

use object::LittleEndian;
use object::elf::{
    FileHeader64, Machine, SHF_ALLOC, SHT_NOBITS, SHT_NULL, SectionHeader64, SectionType,
};
use object::read::elf::{FileHeader, SectionHeader, SectionTable};

pub const ENDIAN: LittleEndian = LittleEndian;

/// Magic, 64 bits, little endian: what all of them start with.
const IDENT: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, 1];
const HEADER_SIZE: u64 = 64;
const SECTION_HEADERS_OFFSET: u64 = 40;
const SECTION_HEADER_SIZE: u64 = 64;

/// An ELF file, none of whose sections reaches beyond its end.
pub struct File<'a> {
    pub bytes: &'a [u8],
    /// What errors call it.
    pub what: String,
    pub header: &'a FileHeader64<LittleEndian>,
    pub sections: Vec<Section<'a>>,
    pub table: SectionTable<'a, FileHeader64<LittleEndian>>,
}

pub struct Section<'a> {
    pub name: &'a [u8],
    pub header: &'a SectionHeader64<LittleEndian>,
    /// Empty for a section that has none in the file.
    pub data: &'a [u8],
}

impl<'a> File<'a> {
    pub fn parse(bytes: &'a [u8], what: impl Into<String>) -> Result<Self, String> {
        let what = what.into();
        let length = bytes.len() as u64;
        let truncated = |part: &str, offset: u64| truncated(&what, length, part, offset);
        let invalid = |error| format!("{what} is no valid ELF file: {error}");

        let start = &bytes[..bytes.len().min(IDENT.len())];
        if !IDENT.starts_with(start) {
            return Err(format!(
                "{what} is no ELF file of 64 bits, little endian. It has the bytes {start:02x?} at offset 0, not {IDENT:02x?}"
            ));
        }
        if length < HEADER_SIZE {
            return Err(truncated("the header", 0));
        }
        let header = FileHeader64::<LittleEndian>::parse(bytes).map_err(invalid)?;
        let table_offset = header.e_shoff(ENDIAN);
        // Without sections there is nothing to find, which must not pass for a program without kernels.
        if table_offset == 0 {
            return Err(format!(
                "{what} has no section headers (their offset is at offset {SECTION_HEADERS_OFFSET})"
            ));
        }
        if !fits(length, table_offset, SECTION_HEADER_SIZE) {
            return Err(truncated("the section headers", table_offset));
        }
        let count = header.shnum(ENDIAN, bytes).map_err(invalid)?;
        let table_size = u64::from(count) * SECTION_HEADER_SIZE;
        if !fits(length, table_offset, table_size) {
            return Err(truncated("the section headers", table_offset));
        }
        let table = header.sections(ENDIAN, bytes).map_err(invalid)?;

        let mut sections = Vec::with_capacity(table.len());
        for header in table.iter() {
            let kind = header.sh_type(ENDIAN);
            if kind == SHT_NULL {
                continue;
            }
            let offset = header.sh_offset(ENDIAN);
            let has_data = kind != SHT_NOBITS;
            if has_data && !fits(length, offset, header.sh_size(ENDIAN)) {
                // Its name may be beyond the end, too.
                let name = table.section_name(ENDIAN, header).unwrap_or_default();
                let part = format!("the section {}", name.escape_ascii());
                return Err(truncated(&part, offset));
            }
            sections.push(Section {
                name: table.section_name(ENDIAN, header).map_err(invalid)?,
                header,
                data: header.data(ENDIAN, bytes).map_err(invalid)?,
            });
        }
        Ok(Self {
            bytes,
            what,
            header,
            sections,
            table,
        })
    }

    pub fn machine(&self) -> Machine {
        self.header.e_machine(ENDIAN)
    }

    pub fn section(&self, name: &str) -> Option<&Section<'a>> {
        self.sections
            .iter()
            .find(|section| section.name == name.as_bytes())
    }

    pub fn sections_of_type(&self, kind: SectionType) -> impl Iterator<Item = &Section<'a>> {
        self.sections
            .iter()
            .filter(move |section| section.header.sh_type(ENDIAN) == kind)
    }

    /// The error of a part that `object` cannot read.
    pub fn invalid(&self, error: object::Error) -> String {
        format!("{} is no valid ELF file: {error}", self.what)
    }
}

impl Section<'_> {
    pub fn address(&self) -> u64 {
        self.header.sh_addr(ENDIAN)
    }

    pub fn offset(&self) -> u64 {
        self.header.sh_offset(ENDIAN)
    }

    pub fn size(&self) -> u64 {
        self.header.sh_size(ENDIAN)
    }

    /// Is it in memory when the program runs?
    pub fn is_loaded(&self) -> bool {
        self.header.sh_flags(ENDIAN).contains(SHF_ALLOC)
    }
}

fn fits(length: u64, offset: u64, size: u64) -> bool {
    offset.checked_add(size).is_some_and(|end| end <= length)
}

fn truncated(what: &str, length: u64, part: &str, offset: u64) -> String {
    format!("{what} is truncated at offset {length}, before the end of {part} at offset {offset}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::elf::{Elf, program};

    fn error(bytes: &[u8]) -> String {
        match File::parse(bytes, "the program") {
            Ok(_) => panic!("no error"),
            Err(error) => error,
        }
    }

    #[test]
    fn what_is_no_elf_file() {
        assert_eq!(
            error(b"#!/bin/sh\n"),
            "the program is no ELF file of 64 bits, little endian. It has the bytes [23, 21, 2f, 62, 69, 6e] at offset 0, not [7f, 45, 4c, 46, 02, 01]"
        );
        assert_eq!(
            error(b"\x7fELF\x01\x01"),
            "the program is no ELF file of 64 bits, little endian. It has the bytes [7f, 45, 4c, 46, 01, 01] at offset 0, not [7f, 45, 4c, 46, 02, 01]"
        );
    }

    #[test]
    fn what_is_truncated() {
        let elf = Elf {
            sections: vec![crate::testing::elf::section(".data", 1, [1; 16])],
            ..Elf::default()
        };
        let bytes = elf.bytes();
        assert_eq!(
            error(b""),
            "the program is truncated at offset 0, before the end of the header at offset 0"
        );
        assert_eq!(
            error(&bytes[..63]),
            "the program is truncated at offset 63, before the end of the header at offset 0"
        );
        let table = u64::from_le_bytes(*bytes[40..].first_chunk().unwrap());
        for length in [100, bytes.len() - 1] {
            assert_eq!(
                error(&bytes[..length]),
                format!(
                    "the program is truncated at offset {length}, before the end of the section headers at offset {table}"
                )
            );
        }
        // The section's size, in the second section header.
        let mut long = bytes.clone();
        long[table as usize + 64 + 32] = 0xff;
        long[table as usize + 64 + 33] = 0xff;
        assert_eq!(
            error(&long),
            format!(
                "the program is truncated at offset {}, before the end of the section .data at offset 64",
                bytes.len()
            )
        );
    }

    #[test]
    fn no_section_headers() {
        let mut bytes = program().bytes();
        bytes[40..48].fill(0);
        assert_eq!(
            error(&bytes),
            "the program has no section headers (their offset is at offset 40)"
        );
    }

    #[test]
    fn what_object_says_of_a_section() {
        let mut bytes = program().bytes();
        bytes[58] = 63;
        assert_eq!(
            error(&bytes),
            "the program is no valid ELF file: Invalid ELF section header entry size"
        );
    }
}
