//! The kernels of a file, and what is known of each.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use offload_formats::elf::{self, code_object};
use offload_formats::kernel_name::KernelName;
use offload_formats::offload_binary;
use offload_formats::offload_content::OffloadContent;
use serde::Serialize;

use super::occupancy::Occupancy;
use super::{amd, nvidia};

/// One kernel in one image. What an image does not say is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Kernel {
    /// As in the source, with the types of a generic one.
    pub kernel: String,
    pub symbol: String,
    /// As rustc's `-Ctarget-cpu`.
    pub arch: String,
    /// Of a thread: vector registers on AMD, where accumulators of gfx90a and later count among them.
    pub registers: Option<u64>,
    /// AMD: vector registers of a thread.
    pub vgprs: Option<u64>,
    /// AMD: scalar registers of a wavefront.
    pub sgprs: Option<u64>,
    /// AMD: accumulators of a thread.
    pub agprs: Option<u64>,
    /// Registers that do not fit and go to memory.
    pub spills: Option<u64>,
    /// Of a thread.
    pub stack_bytes: Option<u64>,
    /// Of a block, as far as it is fixed: LDS on AMD, shared memory on NVIDIA.
    pub lds_bytes: Option<u64>,
    /// Of a block.
    pub max_threads: Option<u64>,
    pub code_bytes: Option<u64>,
    /// As far as registers limit it.
    pub occupancy: Option<Occupancy>,
    /// The machine code, for `diff`.
    #[serde(skip)]
    pub code: Vec<u8>,
}

impl Kernel {
    /// What budgets are about.
    pub fn fields(&self) -> [(&'static str, Option<u64>); 10] {
        [
            ("registers", self.registers),
            ("vgprs", self.vgprs),
            ("sgprs", self.sgprs),
            ("agprs", self.agprs),
            ("spills", self.spills),
            ("stack_bytes", self.stack_bytes),
            ("lds_bytes", self.lds_bytes),
            ("max_threads", self.max_threads),
            ("code_bytes", self.code_bytes),
            (
                "occupancy_percent",
                self.occupancy.map(|occupancy| occupancy.percent),
            ),
        ]
    }
}

/// The kernels of a program or an image, sorted by name and arch.
pub fn read(file: &Path) -> anyhow::Result<Vec<Kernel>> {
    let bytes = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let kernels = parse(&bytes).with_context(|| file.display().to_string())?;
    Ok(kernels)
}

pub fn parse(bytes: &[u8]) -> anyhow::Result<Vec<Kernel>> {
    if offload_binary::has_magic(bytes) {
        bail!(
            "this is a device image, an OffloadBinary of bitcode: registers are not chosen yet. \
             Take the finished program, or a linked image (--output_groups=linked_image)"
        );
    }
    let file = elf::File::parse(bytes, "the file").map_err(anyhow::Error::msg)?;
    let mut kernels = if code_object::vendor(&file).is_ok() {
        let target = code_object::target(&file).map_err(anyhow::Error::msg)?;
        let arch = target.map_or_else(|| "unknown".into(), |(_, arch)| arch);
        of_image(&file, &arch)?
    } else {
        of_program(bytes)?
    };
    kernels.sort_by(|a, b| (&a.kernel, &a.symbol, &a.arch).cmp(&(&b.kernel, &b.symbol, &b.arch)));
    Ok(kernels)
}

fn of_program(bytes: &[u8]) -> anyhow::Result<Vec<Kernel>> {
    let content = OffloadContent::parse(bytes).map_err(anyhow::Error::msg)?;
    if content.images.is_empty() {
        bail!("the program has no images for GPUs");
    }
    let mut kernels = Vec::new();
    for image in &content.images {
        let range = usize::try_from(image.offset)
            .ok()
            .zip(usize::try_from(image.size).ok())
            .and_then(|(offset, size)| bytes.get(offset..offset.checked_add(size)?));
        let what = format!("the image at offset {} of the program", image.offset);
        let Some(range) = range else {
            bail!("{what} reaches beyond the end of the file");
        };
        let file = elf::File::parse(range, what).map_err(anyhow::Error::msg)?;
        kernels.extend(of_image(&file, &image.arch)?);
    }
    Ok(kernels)
}

fn of_image(file: &elf::File, arch: &str) -> anyhow::Result<Vec<Kernel>> {
    let symbols = code_object::kernels(file).map_err(anyhow::Error::msg)?;
    let functions = code_object::functions(file).map_err(anyhow::Error::msg)?;
    let mut kernels: Vec<Kernel> = symbols
        .into_iter()
        .map(|symbol| {
            let code = functions.get(&symbol).copied().unwrap_or_default();
            Kernel {
                kernel: KernelName::new(&symbol).path(),
                arch: arch.into(),
                code_bytes: (!code.is_empty()).then_some(code.len() as u64),
                code: code.into(),
                symbol,
                ..Kernel::default()
            }
        })
        .collect();
    match code_object::vendor(file).map_err(anyhow::Error::msg)? {
        code_object::Vendor::Amd => amd::add_resources(file, &mut kernels)?,
        code_object::Vendor::Nvidia => nvidia::add_resources(file, &mut kernels)?,
    }
    Ok(kernels)
}
