//! Linked images: AMD code objects and NVIDIA cubins.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{
    EM_AMDGPU, EM_CUDA, Machine, SHT_DYNSYM, SHT_NOTE, SHT_SYMTAB, STT_FUNC, STT_OBJECT,
};
use object::read::elf::{SectionHeader, Sym};

use super::{ENDIAN, File};

/// Of `st_other`: a kernel, not a function that kernels call. (`STO_CUDA_ENTRY`, as NVIDIA's tools print it)
const CUDA_ENTRY: u8 = 0x10;
/// The end of the name of a kernel's descriptor. (llvm/docs/AMDGPUUsage.rst, "Kernel Descriptor")
const AMD_DESCRIPTOR: &[u8] = b".kd";
/// From this ABI on the number of a cubin's arch is in the second byte of the flags.
/// (`ELFABIVERSION_CUDA_V2`, llvm/BinaryFormat/ELF.h)
const CUDA_ABI_2: u8 = 8;

/// Image of which vendor?
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Vendor {
    Amd,
    Nvidia,
}

pub fn vendor(file: &File) -> Result<Vendor, String> {
    match file.machine() {
        EM_AMDGPU => Ok(Vendor::Amd),
        EM_CUDA => Ok(Vendor::Nvidia),
        other => Err(format!(
            "{} is for the ELF machine {} (at offset 18 of the image). The images of GPUs are of {} (AMD) and {} (NVIDIA)",
            file.what, other.0, EM_AMDGPU.0, EM_CUDA.0
        )),
    }
}

/// The same by the first bytes of a file alone.
pub fn vendor_of(bytes: &[u8]) -> Option<Vendor> {
    match Machine(u16::from_le_bytes(*bytes.get(18..)?.first_chunk()?)) {
        EM_AMDGPU => Some(Vendor::Amd),
        EM_CUDA => Some(Vendor::Nvidia),
        _ => None,
    }
}

/// The kernels in an image, by the names that the host launches.
pub fn kernels(file: &File) -> Result<BTreeSet<String>, String> {
    let vendor = vendor(file)?;
    // The one that a loader reads. A cubin has no other than .symtab, and it is no more than that.
    let has_dynamic = file.sections_of_type(SHT_DYNSYM).next().is_some();
    let kind = match vendor {
        Vendor::Amd if has_dynamic => SHT_DYNSYM,
        _ => SHT_SYMTAB,
    };
    let symbols = file
        .table
        .symbols(ENDIAN, file.bytes, kind)
        .map_err(|error| file.invalid(error))?;
    let mut kernels = BTreeSet::new();
    for symbol in symbols.iter() {
        if symbol.is_undefined(ENDIAN) {
            continue;
        }
        let name = symbols
            .symbol_name(ENDIAN, symbol)
            .map_err(|error| file.invalid(error))?;
        let kernel = match vendor {
            Vendor::Amd if symbol.st_type() == STT_OBJECT => name.strip_suffix(AMD_DESCRIPTOR),
            Vendor::Nvidia
                if symbol.st_type() == STT_FUNC && symbol.st_other().0 & CUDA_ENTRY != 0 =>
            {
                Some(name)
            }
            _ => None,
        };
        kernels.extend(kernel.map(|name| String::from_utf8_lossy(name).into_owned()));
    }
    Ok(kernels)
}

/// The machine code of all functions, kernels among them, by symbol. Empty where a symbol lies outside of its section.
pub fn functions<'a>(file: &File<'a>) -> Result<BTreeMap<String, &'a [u8]>, String> {
    let mut functions = BTreeMap::new();
    // One that is stripped has no other than those that a loader reads.
    for kind in [SHT_DYNSYM, SHT_SYMTAB] {
        let symbols = file
            .table
            .symbols(ENDIAN, file.bytes, kind)
            .map_err(|error| file.invalid(error))?;
        for (index, symbol) in symbols.enumerate() {
            if symbol.is_undefined(ENDIAN) || symbol.st_type() != STT_FUNC {
                continue;
            }
            let name = symbols
                .symbol_name(ENDIAN, symbol)
                .map_err(|error| file.invalid(error))?;
            let section = symbols
                .symbol_section(ENDIAN, symbol, index)
                .map_err(|error| file.invalid(error))?;
            let code = section.and_then(|section| {
                let section = file.table.section(section).ok()?;
                let start = symbol
                    .st_value(ENDIAN)
                    .checked_sub(section.sh_addr(ENDIAN))?;
                let bytes = section.data(ENDIAN, file.bytes).ok()?;
                let rest = bytes.get(usize::try_from(start).ok()?..)?;
                rest.get(..usize::try_from(symbol.st_size(ENDIAN)).ok()?)
            });
            functions.insert(
                String::from_utf8_lossy(name).into_owned(),
                code.unwrap_or_default(),
            );
        }
    }
    Ok(functions)
}

/// The symbols of the symbol table by their numbers, which NVIDIA's attributes count.
pub fn symbol_names(file: &File) -> Result<Vec<String>, String> {
    let symbols = file
        .table
        .symbols(ENDIAN, file.bytes, SHT_SYMTAB)
        .map_err(|error| file.invalid(error))?;
    symbols
        .iter()
        .map(|symbol| {
            let name = symbols.symbol_name(ENDIAN, symbol);
            name.map(|name| String::from_utf8_lossy(name).into_owned())
                .map_err(|error| file.invalid(error))
        })
        .collect()
}

/// Triple and arch by the image's own account.
pub fn target(file: &File) -> Result<Option<(String, String)>, String> {
    Ok(match vendor(file)? {
        Vendor::Amd => amd_target(file),
        Vendor::Nvidia => {
            let flags = file.header.e_flags.get(ENDIAN).0;
            let shift = if file.header.e_ident.abi_version < CUDA_ABI_2 {
                0
            } else {
                8
            };
            let arch = format!("sm_{}", (flags >> shift) & 0xff);
            Some(("nvptx64-nvidia-cuda".into(), arch))
        }
    })
}

/// The string `amdhsa.target` of the metadata, `<triple>--<arch>`, is the only one that spells the arch out.
/// (llvm/docs/AMDGPUUsage.rst, "Code Object Metadata": a note in MessagePack)
fn amd_target(file: &File) -> Option<(String, String)> {
    const KEY: &[u8] = b"amdhsa.target";
    file.sections_of_type(SHT_NOTE).find_map(|section| {
        let data = section.data;
        let key = data.windows(KEY.len()).position(|bytes| bytes == KEY)?;
        let (&kind, value) = data[key + KEY.len()..].split_first()?;
        let (size, value) = match kind {
            // fixstr, str 8
            0xa0..=0xbf => (kind & 0x1f, value),
            0xd9 => value.split_first().map(|(&size, value)| (size, value))?,
            _ => return None,
        };
        let target = std::str::from_utf8(value.get(..size.into())?).ok()?;
        let (triple, arch) = target.split_once("--")?;
        Some((triple.into(), arch.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::elf::{Elf, SHT_DYNSYM, code_object, cubin};

    fn read<T>(elf: &Elf, read: fn(&File) -> Result<T, String>) -> Result<T, String> {
        let bytes = elf.bytes();
        read(&File::parse(
            &bytes,
            "the image at offset 8 of the program",
        )?)
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn kernels_of_both_vendors() {
        for image in [code_object(&["b", "a"]), cubin(&["b", "a"])] {
            assert_eq!(read(&image, kernels), Ok(set(&["a", "b"])));
        }
        assert_eq!(read(&code_object(&[]), kernels), Ok(set(&[])));
        assert_eq!(read(&cubin(&[]), kernels), Ok(set(&[])));
    }

    #[test]
    fn without_dynamic_symbols() {
        let mut image = code_object(&["a"]);
        for section in &mut image.sections {
            if section.kind == SHT_DYNSYM {
                section.kind = 1;
            }
        }
        assert_eq!(read(&image, kernels), Ok(set(&["local"])));
    }

    #[test]
    fn the_target_of_a_code_object() {
        let target_of = |note: &[u8]| {
            let mut image = code_object(&[]);
            image.sections[0].data = note.into();
            read(&image, target).unwrap()
        };
        let amd = |arch: &str| Some(("amdgcn-amd-amdhsa".into(), arch.into()));
        assert_eq!(read(&code_object(&[]), target), Ok(amd("gfx90a")));
        assert_eq!(
            target_of(b"\xadamdhsa.target\xd9\x29amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"),
            amd("gfx90a:sramecc+:xnack-")
        );
        for note in [
            &b"\xadamdhsa.targets"[..],
            b"\xadamdhsa.target",
            b"\xadamdhsa.target\xd9",
            b"\xadamdhsa.target\xb9amdgcn-amd-amdhsa--gfx90",
            b"\xadamdhsa.target\xa6gfx90a",
            b"\xadamdhsa.target\xa4--\xff\xff",
            b"",
        ] {
            assert_eq!(target_of(note), None, "{}", note.escape_ascii());
        }
    }

    #[test]
    fn the_target_of_a_cubin() {
        for (abi_version, flags, arch) in [
            (7, 0x005a_055a, "sm_90"),
            (7, 0x0050_0550, "sm_80"),
            (8, 0x0600_5a04, "sm_90"),
            (8, 0x0600_7902, "sm_121"),
        ] {
            let image = Elf {
                abi_version,
                flags,
                ..cubin(&[])
            };
            assert_eq!(
                read(&image, target),
                Ok(Some(("nvptx64-nvidia-cuda".into(), arch.into())))
            );
        }
    }

    #[test]
    fn what_is_for_no_gpu() {
        for read_all in [
            |file: &File| kernels(file).map(drop),
            |file: &File| target(file).map(drop),
        ] {
            assert_eq!(
                read(&Elf::default(), read_all).unwrap_err(),
                "the image at offset 8 of the program is for the ELF machine 62 (at offset 18 of the image). \
                 The images of GPUs are of 224 (AMD) and 190 (NVIDIA)"
            );
        }
    }
}
