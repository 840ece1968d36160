//! Small programs with kernels, and small images, as compilers and linkers write them.

use super::Image;

pub const SHT_SYMTAB: u32 = 2;
pub const SHT_RELA: u32 = 4;
pub const SHT_NOTE: u32 = 7;
pub const SHT_NOBITS: u32 = 8;
pub const SHT_DYNSYM: u32 = 11;
pub const R_RELATIVE: u64 = 8;

const SHT_PROGBITS: u32 = 1;
const SHT_STRTAB: u32 = 3;
const SHF_ALLOC: u64 = 2;

pub struct Section {
    pub name: String,
    pub kind: u32,
    pub flags: u64,
    pub address: u64,
    pub data: Vec<u8>,
    pub link: u32,
    pub entry_size: u64,
}

pub fn section(name: &str, address: u64, data: impl Into<Vec<u8>>) -> Section {
    Section {
        name: name.into(),
        kind: SHT_PROGBITS,
        flags: SHF_ALLOC,
        address,
        data: data.into(),
        link: 0,
        entry_size: 0,
    }
}

/// Offset, type and addend of relocations.
pub fn rela(relocations: &[(u64, u64, u64)]) -> Section {
    let mut section = section(".rela.dyn", 0x100, []);
    section.kind = SHT_RELA;
    section.entry_size = 24;
    for (offset, kind, addend) in relocations {
        for number in [offset, kind, addend] {
            section.data.extend(number.to_le_bytes());
        }
    }
    section
}

pub struct Elf {
    pub machine: u16,
    pub abi_version: u8,
    pub flags: u32,
    pub sections: Vec<Section>,
}

impl Default for Elf {
    fn default() -> Self {
        Self {
            machine: 62,
            abi_version: 0,
            flags: 0,
            sections: Vec::new(),
        }
    }
}

impl Elf {
    /// Header, sections, names of the sections, section headers.
    pub fn bytes(&self) -> Vec<u8> {
        let mut names = vec![0];
        let mut headers = vec![0; 64];
        let mut bytes = vec![0; 64];
        let mut add = |section: &Section, names: &mut Vec<u8>| {
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            headers.extend((names.len() as u32).to_le_bytes());
            headers.extend(section.kind.to_le_bytes());
            let offset = bytes.len() as u64;
            let size = section.data.len() as u64;
            for number in [section.flags, section.address, offset, size] {
                headers.extend(number.to_le_bytes());
            }
            headers.extend(section.link.to_le_bytes());
            headers.extend(0u32.to_le_bytes());
            headers.extend(8u64.to_le_bytes());
            headers.extend(section.entry_size.to_le_bytes());
            names.extend(section.name.bytes());
            names.push(0);
            if section.kind != SHT_NOBITS {
                bytes.extend(&section.data);
            }
        };
        for section in &self.sections {
            add(section, &mut names);
        }
        let mut shstrtab = section(".shstrtab", 0, []);
        shstrtab.kind = SHT_STRTAB;
        shstrtab.flags = 0;
        shstrtab.data.clone_from(&names);
        shstrtab.data.extend(b".shstrtab\0");
        add(&shstrtab, &mut names);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let table = bytes.len() as u64;
        let count = (headers.len() / 64) as u16;
        bytes.extend(headers);

        let mut header = b"\x7fELF\x02\x01\x01\0".to_vec();
        header.push(self.abi_version);
        header.resize(16, 0);
        // ET_DYN
        header.extend(3u16.to_le_bytes());
        header.extend(self.machine.to_le_bytes());
        header.extend(1u32.to_le_bytes());
        for number in [0, 0, table] {
            header.extend(number.to_le_bytes());
        }
        header.extend(self.flags.to_le_bytes());
        for number in [64, 56, 0, 64, count, count - 1] {
            header.extend(number.to_le_bytes());
        }
        bytes[..64].copy_from_slice(&header);
        bytes
    }
}

/// Name, type, `st_other` and section of symbols.
fn symbols(kind: u32, strings: u32, symbols: &[(String, u8, u8, u16)]) -> [Section; 2] {
    let (table, names) = match kind {
        SHT_DYNSYM => (".dynsym", ".dynstr"),
        _ => (".symtab", ".strtab"),
    };
    let mut table = section(table, 0x200, [0; 24]);
    table.kind = kind;
    table.link = strings;
    table.entry_size = 24;
    let mut names = section(names, 0x400, [0]);
    names.kind = SHT_STRTAB;
    for (name, kind, other, index) in symbols {
        table.data.extend((names.data.len() as u32).to_le_bytes());
        // STB_GLOBAL
        table.data.extend([1 << 4 | kind, *other]);
        table.data.extend(index.to_le_bytes());
        table.data.extend([0; 16]);
        names.data.extend(name.bytes());
        names.data.push(0);
    }
    [table, names]
}

/// An AMD code object with the kernels' functions and descriptors, as lld links it.
pub fn code_object(kernels: &[&str]) -> Elf {
    let mut all = vec![("undefined.kd".into(), 1, 0, 0)];
    for kernel in kernels {
        all.push((kernel.to_string(), 2, 3, 1));
        all.push((format!("{kernel}.kd"), 1, 0, 1));
    }
    let mut note = section(".note", 0x300, *b"AMDGPU\0\0\x81");
    note.kind = SHT_NOTE;
    note.data
        .extend(b"\xadamdhsa.target\xb9amdgcn-amd-amdhsa--gfx90a");
    let mut sections = vec![note];
    sections.extend(symbols(SHT_DYNSYM, 3, &all));
    // What is in .symtab only cannot be launched.
    let local = ("local.kd".into(), 1, 0, 1);
    sections.extend(symbols(SHT_SYMTAB, 5, &[local]));
    Elf {
        machine: 224,
        abi_version: 4,
        flags: 0x53f,
        sections,
    }
}

/// A cubin with the kernels and a function, as ptxas writes it.
pub fn cubin(kernels: &[&str]) -> Elf {
    let mut all = vec![
        ("function".into(), 2, 0, 1),
        ("undefined".into(), 2, 0x10, 0),
    ];
    for kernel in kernels {
        all.push((kernel.to_string(), 2, 0x10, 1));
    }
    Elf {
        machine: 190,
        abi_version: 7,
        flags: 0x5a055a,
        sections: symbols(SHT_SYMTAB, 2, &all).into(),
    }
}

/// How pointers are found in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pointers {
    /// As addends of relocations.
    Rela,
    /// In place, in a program that is not relocated or has .relr.dyn.
    InPlace,
}

pub struct Entry {
    pub name: &'static str,
    pub reserved: u64,
    pub version: u16,
    pub kind: u16,
    pub flags: u32,
    pub size: u64,
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            name: "kernel",
            reserved: 0,
            version: 1,
            kind: 1,
            flags: 0,
            size: 0,
        }
    }
}

/// An image, and triple and arch of the OffloadBinary around it, if there is one.
pub struct Embedded {
    pub elf: Elf,
    pub container: Option<(&'static str, &'static str)>,
}

pub fn gfx90a(kernels: &[&str]) -> Embedded {
    Embedded {
        elf: code_object(kernels),
        container: Some(("amdgcn-amd-amdhsa", "gfx90a")),
    }
}

pub fn sm_90(kernels: &[&str]) -> Embedded {
    Embedded {
        elf: cubin(kernels),
        container: Some(("nvptx64-nvidia-cuda", "sm_90")),
    }
}

/// A program that launches kernels, without symbols.
pub struct Program {
    pub pointers: Pointers,
    pub entries: Vec<Entry>,
    pub entries_end: Vec<u8>,
    pub has_entries_section: bool,
    pub names_end_with_nul: bool,
    pub images: Vec<Embedded>,
}

/// Launches `a::f` and `b::g`, which both its images have.
pub fn program() -> Program {
    let kernels = ["_RNvC1a1f", "_RNvC1b1g"];
    Program {
        pointers: Pointers::Rela,
        entries: kernels
            .map(|name| Entry {
                name,
                ..Entry::default()
            })
            .into(),
        entries_end: Vec::new(),
        has_entries_section: true,
        names_end_with_nul: true,
        images: vec![gfx90a(&kernels), sm_90(&kernels)],
    }
}

const IMAGES: u64 = 0x1000;
const NAMES: u64 = 0x10_0000;
const DATA: u64 = 0x20_0000;
const ENTRIES: u64 = 0x30_0000;

impl Program {
    pub fn bytes(&self) -> Vec<u8> {
        let mut relocations = Vec::new();
        let mut pointer = |data: &mut Vec<u8>, base: u64, target: u64| {
            let in_place = match self.pointers {
                Pointers::InPlace => target,
                Pointers::Rela => {
                    relocations.push((base + data.len() as u64, R_RELATIVE, target));
                    0
                }
            };
            data.extend(in_place.to_le_bytes());
        };

        let mut names = Vec::new();
        let mut entries = Vec::new();
        for entry in &self.entries {
            let name = NAMES + names.len() as u64;
            names.extend(entry.name.bytes());
            names.resize(names.len() + usize::from(self.names_end_with_nul), 0);
            entries.extend(entry.reserved.to_le_bytes());
            entries.extend(entry.version.to_le_bytes());
            entries.extend(entry.kind.to_le_bytes());
            entries.extend(entry.flags.to_le_bytes());
            pointer(&mut entries, ENTRIES, NAMES);
            pointer(&mut entries, ENTRIES, name);
            entries.extend(entry.size.to_le_bytes());
            entries.extend([0; 16]);
        }
        entries.extend(&self.entries_end);
        let bounds = [ENTRIES, ENTRIES + entries.len() as u64];

        let mut images = Vec::new();
        let mut data = Vec::new();
        for image in &self.images {
            let elf = image.elf.bytes();
            let start = match image.container {
                None => {
                    let start = images.len();
                    images.extend(&elf);
                    start
                }
                Some((triple, arch)) => {
                    let strings = [("triple", triple), ("arch", arch)];
                    images.extend(
                        Image {
                            image_kind: 1,
                            strings: strings
                                .map(|(key, value)| (key.into(), value.into()))
                                .into(),
                            bitcode: elf.clone(),
                            ..Image::default()
                        }
                        .bytes(),
                    );
                    images.len() - elf.len()
                }
            };
            let start = IMAGES + start as u64;
            pointer(&mut data, DATA, start);
            pointer(&mut data, DATA, start + elf.len() as u64);
            for bound in bounds {
                pointer(&mut data, DATA, bound);
            }
        }
        // A descriptor without images, as rustc writes it beside that of the wrapper.
        data.extend([0; 32]);
        data.extend((self.images.len() as u64).to_le_bytes());
        pointer(&mut data, DATA, DATA);
        for bound in bounds {
            pointer(&mut data, DATA, bound);
        }

        let mut sections = vec![section(".rodata", NAMES, names)];
        if !images.is_empty() {
            sections.push(section(".llvm.offloading", IMAGES, images));
            sections.push(section(".data.rel.ro", DATA, data));
        }
        if self.has_entries_section {
            sections.push(section("llvm_offload_entries", ENTRIES, entries));
        }
        sections.push(rela(&relocations));
        Elf {
            sections,
            ..Elf::default()
        }
        .bytes()
    }
}
