//! AMD's metadata: a note in MessagePack. (llvm/docs/AMDGPUUsage.rst, "Code Object V3 Metadata")

use std::collections::BTreeMap;

use anyhow::Context;
use object::elf::SHT_NOTE;
use object::read::elf::SectionHeader;
use offload_formats::elf::{ENDIAN, File};
use serde::Deserialize;

use super::kernels::Kernel;
use super::occupancy::{self, Occupancy};

/// `NT_AMDGPU_METADATA` (llvm/BinaryFormat/ELF.h)
const METADATA: u32 = 32;
const OWNER: &[u8] = b"AMDGPU";

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "amdhsa.kernels", default)]
    kernels: Vec<KernelMetadata>,
}

#[derive(Deserialize)]
struct KernelMetadata {
    #[serde(rename = ".name")]
    name: String,
    #[serde(rename = ".vgpr_count")]
    vgprs: Option<u64>,
    #[serde(rename = ".sgpr_count")]
    sgprs: Option<u64>,
    #[serde(rename = ".agpr_count")]
    agprs: Option<u64>,
    /// In registers, as the next one.
    #[serde(rename = ".vgpr_spill_count")]
    vgpr_spills: Option<u64>,
    #[serde(rename = ".sgpr_spill_count")]
    sgpr_spills: Option<u64>,
    #[serde(rename = ".private_segment_fixed_size")]
    stack_bytes: Option<u64>,
    #[serde(rename = ".group_segment_fixed_size")]
    lds_bytes: Option<u64>,
    #[serde(rename = ".max_flat_workgroup_size")]
    max_threads: Option<u64>,
    #[serde(rename = ".wavefront_size")]
    wavefront_size: Option<u64>,
}

impl KernelMetadata {
    fn occupancy(&self, arch: &str) -> Option<Occupancy> {
        occupancy::amd(arch, self.vgprs?, self.sgprs?, self.wavefront_size?)
    }
}

pub fn add_resources(file: &File, kernels: &mut [Kernel]) -> anyhow::Result<()> {
    let metadata = read(file)?;
    for kernel in kernels {
        let Some(of_kernel) = metadata.get(&kernel.symbol) else {
            continue;
        };
        kernel.registers = of_kernel.vgprs;
        kernel.vgprs = of_kernel.vgprs;
        kernel.sgprs = of_kernel.sgprs;
        kernel.agprs = of_kernel.agprs;
        kernel.spills = of_kernel
            .vgpr_spills
            .zip(of_kernel.sgpr_spills)
            .map(|(vgprs, sgprs)| vgprs.saturating_add(sgprs));
        kernel.stack_bytes = of_kernel.stack_bytes;
        kernel.lds_bytes = of_kernel.lds_bytes;
        kernel.max_threads = of_kernel.max_threads;
        kernel.occupancy = of_kernel.occupancy(&kernel.arch);
    }
    Ok(())
}

fn read(file: &File) -> anyhow::Result<BTreeMap<String, KernelMetadata>> {
    let mut kernels = BTreeMap::new();
    for section in file.sections_of_type(SHT_NOTE) {
        let offset = section.offset();
        let invalid = || format!("{} has an invalid note at offset {offset}", file.what);
        let notes = section.header.notes(ENDIAN, file.bytes);
        let Some(mut notes) = notes.with_context(invalid)? else {
            continue;
        };
        while let Some(note) = notes.next().with_context(invalid)? {
            if note.n_type(ENDIAN).0 != METADATA || note.name() != OWNER {
                continue;
            }
            let metadata: Metadata = rmp_serde::from_slice(note.desc()).with_context(|| {
                format!(
                    "{} has metadata that cannot be read, in the note at offset {offset}",
                    file.what
                )
            })?;
            let named = metadata.kernels.into_iter();
            kernels.extend(named.map(|kernel| (kernel.name.clone(), kernel)));
        }
    }
    Ok(kernels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::kernels::parse;
    use crate::testing::elf::code_object;
    use serde_json::json;

    /// A note as in a section of alignment 8, that of the test's files: sizes, type, owner, content.
    fn note(metadata: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        for number in [OWNER.len() as u32 + 1, metadata.len() as u32, METADATA] {
            note.extend(number.to_le_bytes());
        }
        note.extend(b"AMDGPU");
        note.resize(24, 0);
        note.extend(metadata);
        note.resize(note.len().next_multiple_of(8), 0);
        note
    }

    fn image(metadata: &[u8]) -> Vec<u8> {
        let mut image = code_object(&["_RNvC1a1f"]);
        image.sections[0].data = note(metadata);
        image.bytes()
    }

    fn metadata() -> serde_json::Value {
        json!({
            "amdhsa.target": "amdgcn-amd-amdhsa--gfx90a",
            "amdhsa.version": [1, 2],
            "amdhsa.kernels": [{
                ".name": "_RNvC1a1f",
                ".args": [{".offset": 0}],
                ".vgpr_count": 70,
                ".sgpr_count": 14,
                ".agpr_count": 4,
                ".vgpr_spill_count": 2,
                ".sgpr_spill_count": 1,
                ".private_segment_fixed_size": 16,
                ".group_segment_fixed_size": 1024,
                ".max_flat_workgroup_size": 256,
                ".wavefront_size": 64,
            }],
        })
    }

    #[test]
    fn resources() {
        let bytes = image(&rmp_serde::to_vec(&metadata()).unwrap());
        let kernels = parse(&bytes).unwrap();
        assert_eq!(
            kernels,
            [Kernel {
                kernel: "a::f".into(),
                symbol: "_RNvC1a1f".into(),
                arch: "gfx90a".into(),
                registers: Some(70),
                vgprs: Some(70),
                sgprs: Some(14),
                agprs: Some(4),
                spills: Some(3),
                stack_bytes: Some(16),
                lds_bytes: Some(1024),
                max_threads: Some(256),
                occupancy: occupancy::amd("gfx90a", 70, 14, 64),
                ..Kernel::default()
            }]
        );
    }

    #[test]
    fn what_is_not_said_is_not_known() {
        let mut metadata = metadata();
        let kernel = &mut metadata["amdhsa.kernels"][0];
        kernel.as_object_mut().unwrap().remove(".sgpr_spill_count");
        let kernels = parse(&image(&rmp_serde::to_vec(&metadata).unwrap())).unwrap();
        assert_eq!((kernels[0].spills, kernels[0].sgprs), (None, Some(14)));
        metadata["amdhsa.kernels"][0][".name"] = json!("another");
        let kernels = parse(&image(&rmp_serde::to_vec(&metadata).unwrap())).unwrap();
        assert_eq!((kernels[0].registers, kernels[0].occupancy), (None, None));
    }

    #[test]
    fn metadata_that_cannot_be_read() {
        let error = format!("{:#}", parse(&image(b"\xc1")).unwrap_err());
        let start = "the file has metadata that cannot be read, in the note at offset 64: ";
        assert!(error.starts_with(start), "{error}");

        let mut bytes = image(&rmp_serde::to_vec(&metadata()).unwrap());
        // The size of the note's owner.
        bytes[64..68].fill(0xff);
        assert_eq!(
            format!("{:#}", parse(&bytes).unwrap_err()),
            "the file has an invalid note at offset 64: Invalid ELF note namesz"
        );
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        crate::report::tests::read_mangled(&image(&rmp_serde::to_vec(&metadata()).unwrap()));
    }
}
