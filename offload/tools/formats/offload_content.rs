//! What a finished program has of offloading: the kernels that it launches, and its images.

use std::collections::BTreeSet;

use crate::elf::memory::Memory;
use crate::elf::{File, code_object, descriptors, entries};

/// Of an executable or a shared library.
#[derive(Debug)]
pub struct OffloadContent {
    /// The symbols of the kernels that the host launches.
    pub launched: BTreeSet<String>,
    /// The images, in the order in which the runtime looks for one that fits the GPU.
    pub images: Vec<Image>,
}

#[derive(Debug)]
pub struct Image {
    pub triple: String,
    pub arch: String,
    /// The symbols of the kernels in it, as the host names them.
    pub kernels: BTreeSet<String>,
    /// Of the machine code, in the program's file.
    pub offset: u64,
    pub size: u64,
}

impl OffloadContent {
    pub fn parse(program: &[u8]) -> Result<Self, String> {
        let file = File::parse(program, "the program")?;
        let memory = Memory::new(&file)?;
        let containers = descriptors::containers(&file)?;
        let images = descriptors::registered_images(&file, &memory)
            .into_iter()
            .map(|registered| Image::parse(&registered, &containers))
            .collect::<Result<_, String>>()?;
        Ok(Self {
            launched: entries::launched_kernels(&file, &memory)?,
            images,
        })
    }
}

impl Image {
    fn parse(
        registered: &descriptors::Registered,
        containers: &[descriptors::Container],
    ) -> Result<Self, String> {
        let offset = registered.offset;
        let what = format!("the image at offset {offset} of the program");
        let file = File::parse(registered.bytes, what)?;
        // What the OffloadBinary says is the arch that was asked for. The image alone may know it less exactly.
        let container = containers
            .iter()
            .find(|container| container.image_offset == offset)
            .filter(|container| !container.triple.is_empty() && !container.arch.is_empty());
        let (triple, arch) = match container {
            Some(container) => (container.triple.clone(), container.arch.clone()),
            None => code_object::target(&file)?
                .ok_or_else(|| format!("{} does not say which arch it is for", file.what))?,
        };
        Ok(Self {
            triple,
            arch,
            kernels: code_object::kernels(&file)?,
            offset,
            size: registered.bytes.len() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::elf::{Program, program};

    fn parse(program: &Program) -> Result<OffloadContent, String> {
        OffloadContent::parse(&program.bytes())
    }

    fn targets(program: &Program) -> Vec<(String, String)> {
        let images = parse(program).unwrap().images;
        images
            .into_iter()
            .map(|image| (image.triple, image.arch))
            .collect()
    }

    #[test]
    fn all_of_a_program() {
        let program = program();
        let content = parse(&program).unwrap();
        assert_eq!(
            content.launched,
            BTreeSet::from(["_RNvC1a1f".into(), "_RNvC1b1g".into()])
        );
        let bytes = program.bytes();
        for (image, embedded) in content.images.iter().zip(&program.images) {
            assert_eq!(image.kernels, content.launched);
            let elf = embedded.elf.bytes();
            assert_eq!(image.size, elf.len() as u64);
            assert!(bytes[image.offset as usize..].starts_with(&elf));
        }
        assert_eq!(content.images.len(), 2);
    }

    #[test]
    fn an_offload_binary_knows_best_and_is_not_needed() {
        let amd = ("amdgcn-amd-amdhsa".to_string(), "gfx90a".to_string());
        let nvidia = |arch: &str| ("nvptx64-nvidia-cuda".to_string(), arch.to_string());
        let mut program = program();
        program.images[1].container = Some(("nvptx64-nvidia-cuda", "sm_90a"));
        assert_eq!(targets(&program), [amd.clone(), nvidia("sm_90a")]);
        program.images[1].container = Some(("nvptx64-nvidia-cuda", ""));
        assert_eq!(targets(&program), [amd.clone(), nvidia("sm_90")]);
        for image in &mut program.images {
            image.container = None;
        }
        assert_eq!(targets(&program), [amd, nvidia("sm_90")]);
    }

    #[test]
    fn images_that_cannot_be_read() {
        let mut program = program();
        program.images.truncate(1);
        let offset = parse(&program).unwrap().images[0].offset;
        program.images[0].elf.machine = 62;
        let error = parse(&program).unwrap_err();
        let start =
            format!("the image at offset {offset} of the program is for the ELF machine 62");
        assert!(error.starts_with(&start), "{error}");

        program.images[0].elf.machine = 224;
        program.images[0].elf.sections.remove(0);
        for section in &mut program.images[0].elf.sections {
            section.link = section.link.saturating_sub(1);
        }
        assert!(parse(&program).is_ok());
        program.images[0].container = None;
        let bytes = program.bytes();
        let first = bytes
            .windows(4)
            .skip(64)
            .position(|bytes| bytes == b"\x7fELF");
        assert_eq!(
            parse(&program).unwrap_err(),
            format!(
                "the image at offset {} of the program does not say which arch it is for",
                64 + first.unwrap()
            )
        );
    }
}
