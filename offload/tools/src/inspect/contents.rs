//! What a file has of offloading.

use std::collections::BTreeSet;

use object::elf::{ET_DYN, ET_EXEC, ET_REL};
use offload_formats::elf::{self, code_object, dynamic, entries};
use offload_formats::kernel_name::{KernelName, sorted};
use offload_formats::offload_binary;
use offload_formats::offload_content::OffloadContent;
use serde::Serialize;

use super::inflate::inflate;

#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Contents {
    Executable(Program),
    SharedLibrary(Program),
    /// For the host, before it is linked.
    Object {
        /// Has it kernels that the host launches? Their names are only known to the linker.
        launches: bool,
        images: Vec<Binary>,
    },
    /// An AMD code object or an NVIDIA cubin.
    LinkedImage {
        triple: Option<String>,
        arch: Option<String>,
        kernels: Vec<Kernel>,
    },
    /// A device image: usually one, but several may follow each other.
    OffloadBinary {
        binaries: Vec<Binary>,
    },
    Bitcode,
    /// Only the rustc that wrote it can read it.
    Manifest,
    Unknown {
        starts_with: String,
    },
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Program {
    pub images: Vec<Image>,
    /// What the host launches.
    pub launches: Vec<Kernel>,
    /// The libraries that it needs, the offload runtime among them.
    pub needs: Vec<String>,
    /// Where it looks for them.
    pub run_paths: Vec<String>,
    /// Why it would not run.
    pub problems: Vec<String>,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Image {
    pub triple: String,
    pub arch: String,
    /// In the file.
    pub offset: u64,
    pub size: u64,
    pub kernels: Vec<Kernel>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kernel {
    /// As in the source.
    pub kernel: String,
    pub symbol: String,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Binary {
    /// Of the format.
    pub version: u32,
    /// In the file.
    pub offset: u64,
    pub size: u64,
    /// Of a compressed one, when it is inflated.
    pub inflated_size: Option<u64>,
    pub entries: Vec<Entry>,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Entry {
    pub image_kind: String,
    pub offload_kind: String,
    pub triple: Option<String>,
    pub arch: Option<String>,
    /// In the binary, of one that is inflated where it was compressed.
    pub offset: u64,
    pub size: u64,
    /// Those apart from triple and arch.
    pub strings: Vec<(String, String)>,
}

impl Contents {
    pub fn problems(&self) -> &[String] {
        match self {
            Self::Executable(program) | Self::SharedLibrary(program) => &program.problems,
            _ => &[],
        }
    }
}

pub fn parse(bytes: &[u8]) -> Result<Contents, String> {
    if offload_binary::has_magic(bytes) {
        return Ok(Contents::OffloadBinary {
            binaries: binaries(bytes, 0)?,
        });
    }
    if bytes.starts_with(b"BC\xc0\xde") {
        return Ok(Contents::Bitcode);
    }
    if bytes.starts_with(b"{\"offload-manifest\"") {
        return Ok(Contents::Manifest);
    }
    if bytes.starts_with(b"\x7fELF") {
        return elf_file(bytes);
    }
    Ok(Contents::Unknown {
        starts_with: format!("{:02x?}", &bytes[..bytes.len().min(8)]),
    })
}

fn elf_file(bytes: &[u8]) -> Result<Contents, String> {
    let file = elf::File::parse(bytes, "the file")?;
    if code_object::vendor(&file).is_ok() {
        let (triple, arch) = code_object::target(&file)?.unzip();
        return Ok(Contents::LinkedImage {
            triple,
            arch,
            kernels: kernels(&code_object::kernels(&file)?),
        });
    }
    match file.header.e_type.get(elf::ENDIAN) {
        ET_REL => object(&file),
        ET_EXEC => Ok(Contents::Executable(program(&file)?)),
        // The loader that it asks for tells a program from a library.
        ET_DYN if file.section(".interp").is_some() => Ok(Contents::Executable(program(&file)?)),
        ET_DYN => Ok(Contents::SharedLibrary(program(&file)?)),
        other => Err(format!(
            "the file is an ELF file of type {} (at offset 16), which is no program",
            other.0
        )),
    }
}

fn object(file: &elf::File) -> Result<Contents, String> {
    let mut images = Vec::new();
    for section in &file.sections {
        if section.name == b".llvm.offloading" {
            images.extend(binaries(section.data, section.offset())?);
        }
    }
    Ok(Contents::Object {
        launches: entries::section(file).is_some_and(|section| section.size() > 0),
        images,
    })
}

fn program(file: &elf::File) -> Result<Program, String> {
    let content = OffloadContent::parse(file.bytes)?;
    let dynamic = dynamic::dynamic(file)?;
    let problems = problems(&content, &dynamic.needed);
    let images = content.images.into_iter().map(|image| Image {
        triple: image.triple,
        arch: image.arch,
        offset: image.offset,
        size: image.size,
        kernels: kernels(&image.kernels),
    });
    Ok(Program {
        images: images.collect(),
        launches: kernels(&content.launched),
        needs: dynamic.needed,
        run_paths: dynamic.run_paths,
        problems,
    })
}

fn problems(content: &OffloadContent, needed: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    if content.launched.is_empty() {
        problems.push("the host launches no kernel".into());
    }
    if content.images.is_empty() {
        problems.push("there is no image for a GPU".into());
    }
    for image in &content.images {
        for kernel in sorted(content.launched.difference(&image.kernels)) {
            problems.push(format!(
                "the image for {} lacks the kernel {kernel}",
                image.arch
            ));
        }
    }
    if !needed
        .iter()
        .any(|library| library.starts_with("libomptarget.so"))
    {
        problems.push("it is not linked with the offload runtime, libomptarget".into());
    }
    problems
}

fn kernels(symbols: &BTreeSet<String>) -> Vec<Kernel> {
    let names = sorted(symbols);
    let kernels = names.iter().map(|name: &KernelName| Kernel {
        kernel: name.path(),
        symbol: name.symbol().into(),
    });
    kernels.collect()
}

/// The binaries that follow each other. `offset` is that of the first in the file.
fn binaries(bytes: &[u8], offset: u64) -> Result<Vec<Binary>, String> {
    let mut binaries = Vec::new();
    let mut start = 0;
    while let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) {
        // Zeros up to the next multiple of 8.
        if rest.iter().all(|&byte| byte == 0) {
            break;
        }
        let at = offset + start as u64;
        let of_file = |error| format!("in the OffloadBinary at offset {at}: {error}");
        offload_binary::version(rest).map_err(of_file)?;
        let one = offload_binary::first(rest).map_err(of_file)?;
        binaries.push(binary(one, at).map_err(of_file)?);
        // Its size may be anything.
        start += one.len().max(8).next_multiple_of(8);
    }
    Ok(binaries)
}

fn binary(bytes: &[u8], offset: u64) -> Result<Binary, String> {
    let inflated_size = offload_binary::inflated_size(bytes)?;
    let entries = match inflated_size {
        None => read_entries(bytes)?,
        Some(size) => read_entries(&inflate(bytes, size)?)?,
    };
    Ok(Binary {
        version: offload_binary::version(bytes)?,
        offset,
        size: bytes.len() as u64,
        inflated_size,
        entries,
    })
}

fn read_entries(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let entries = offload_binary::entries(bytes)?;
    entries.iter().map(read_entry).collect()
}

fn read_entry(entry: &offload_binary::Entry) -> Result<Entry, String> {
    let mut strings = entry.strings()?;
    let mut take = |key: &str| {
        // Of several LLVM takes the last.
        let index = strings.iter().rposition(|(this, _)| this == key)?;
        Some(strings.remove(index).1)
    };
    Ok(Entry {
        triple: take("triple"),
        arch: take("arch"),
        image_kind: image_kind(entry.image_kind),
        offload_kind: offload_kind(entry.offload_kind),
        offset: entry.image_offset,
        size: entry.image_size,
        strings,
    })
}

/// `ImageKind` (llvm/Object/OffloadBinary.h)
fn image_kind(kind: u16) -> String {
    match kind {
        0 => "none".into(),
        1 => "object".into(),
        2 => "bitcode".into(),
        3 => "cubin".into(),
        4 => "fatbinary".into(),
        5 => "ptx".into(),
        6 => "spirv".into(),
        other => format!("unknown ({other})"),
    }
}

/// `OffloadKind` (llvm/Object/OffloadBinary.h): a set of bits.
fn offload_kind(kind: u16) -> String {
    match kind {
        0 => "none".into(),
        1 => "openmp".into(),
        2 => "cuda".into(),
        4 => "hip".into(),
        8 => "sycl".into(),
        other => format!("unknown ({other})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::elf::{code_object, cubin, program};
    use crate::testing::{Image, Random};

    fn kernel(kernel: &str, symbol: &str) -> Kernel {
        Kernel {
            kernel: kernel.into(),
            symbol: symbol.into(),
        }
    }

    #[test]
    fn device_images() {
        for version in [1, 2, 3] {
            let mut image = Image {
                version,
                ..Image::default()
            };
            image.strings.push(("linker".into(), "none".into()));
            let bytes = image.bytes();
            let two = [bytes.clone(), bytes.clone(), vec![0; 8]].concat();
            let Contents::OffloadBinary { binaries } = parse(&two).unwrap() else {
                panic!("no OffloadBinary");
            };
            assert_eq!(binaries.len(), 2);
            assert_eq!(binaries[1].offset, bytes.len() as u64);
            assert_eq!(
                (binaries[1].version, binaries[1].size),
                (version, bytes.len() as u64)
            );
            let [entry] = binaries[1].entries.as_slice() else {
                panic!("one entry");
            };
            assert_eq!(entry.triple.as_deref(), Some("amdgcn-amd-amdhsa"));
            assert_eq!(entry.arch.as_deref(), Some("gfx90a"));
            assert_eq!(
                (entry.image_kind.as_str(), entry.offload_kind.as_str()),
                ("bitcode", "openmp")
            );
            assert_eq!(entry.strings, [("linker".to_string(), "none".to_string())]);
            assert_eq!(entry.size, image.bitcode.len() as u64);
        }
    }

    #[test]
    fn linked_images() {
        for (image, target, arch) in [
            (code_object(&["_RNvC1a1f"]), "amdgcn-amd-amdhsa", "gfx90a"),
            (cubin(&["_RNvC1a1f"]), "nvptx64-nvidia-cuda", "sm_90"),
        ] {
            assert_eq!(
                parse(&image.bytes()),
                Ok(Contents::LinkedImage {
                    triple: Some(target.into()),
                    arch: Some(arch.into()),
                    kernels: vec![kernel("a::f", "_RNvC1a1f")],
                })
            );
        }
    }

    #[test]
    fn programs() {
        let Contents::SharedLibrary(found) = parse(&program().bytes()).unwrap() else {
            panic!("no library");
        };
        assert_eq!(
            found.launches,
            [kernel("a::f", "_RNvC1a1f"), kernel("b::g", "_RNvC1b1g")]
        );
        assert_eq!(found.images.len(), 2);
        assert_eq!(found.images[0].kernels, found.launches);
        assert_eq!(
            found.problems,
            ["it is not linked with the offload runtime, libomptarget"]
        );
    }

    #[test]
    fn what_does_not_fit_together() {
        let content = |launched: &[&str], images: &[&[&str]]| OffloadContent {
            launched: launched.iter().map(ToString::to_string).collect(),
            images: images
                .iter()
                .map(|kernels| offload_formats::offload_content::Image {
                    triple: "nvptx64-nvidia-cuda".into(),
                    arch: "sm_90".into(),
                    kernels: kernels.iter().map(ToString::to_string).collect(),
                    offset: 0,
                    size: 0,
                })
                .collect(),
        };
        let runtime = ["libomptarget.so.22.1".to_string()];
        assert_eq!(
            problems(&content(&["_RNvC1a1f"], &[&["_RNvC1a1f"]]), &runtime),
            [""; 0]
        );
        assert_eq!(
            problems(&content(&["_RNvC1a1f"], &[&[]]), &runtime),
            ["the image for sm_90 lacks the kernel a::f (_RNvC1a1f)"]
        );
        assert_eq!(
            problems(&content(&[], &[]), &[]),
            [
                "the host launches no kernel",
                "there is no image for a GPU",
                "it is not linked with the offload runtime, libomptarget",
            ]
        );
    }

    #[test]
    fn other_files() {
        assert_eq!(parse(b"BC\xc0\xde5\x14"), Ok(Contents::Bitcode));
        assert_eq!(parse(b"{\"offload-manifest\":1}\n"), Ok(Contents::Manifest));
        assert_eq!(
            parse(b"#!/bin/sh"),
            Ok(Contents::Unknown {
                starts_with: "[23, 21, 2f, 62, 69, 6e, 2f, 73]".into()
            })
        );
        assert_eq!(
            parse(b""),
            Ok(Contents::Unknown {
                starts_with: "[]".into()
            })
        );
        assert_eq!(
            parse(b"\x10\xff\x10\xad\x01").unwrap_err(),
            "in the OffloadBinary at offset 0: the device image is truncated at offset 5, before the end of the version at offset 4"
        );
    }

    /// No panic, whatever the file.
    #[test]
    fn any_bytes_are_read_or_refused() {
        let image = Image {
            version: 3,
            entries: 2,
            ..Image::default()
        };
        let files = [
            image.bytes(),
            cubin(&["a"]).bytes(),
            code_object(&["a"]).bytes(),
            program().bytes(),
        ];
        let mut random = Random::new(11);
        for valid in files {
            assert!(parse(&valid).is_ok());
            for length in 0..valid.len() {
                let _ = parse(&valid[..length]);
            }
            for _ in 0..3_000 {
                let mut bytes = valid.clone();
                for _ in 0..=random.below(3) {
                    let index = random.below(bytes.len());
                    bytes[index] = random.byte();
                }
                let _ = parse(&bytes);
            }
        }
    }
}
