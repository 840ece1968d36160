//! What the dynamic linker is told: the libraries that a program needs, and where to look for them.

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH};
use object::read::elf::{Dyn, SectionHeader};

use super::{ENDIAN, File};

#[derive(Debug, Default, PartialEq)]
pub struct Dynamic {
    /// As the linker wrote their names, in the order in which they are loaded.
    pub needed: Vec<String>,
    /// The folders of DT_RUNPATH, or of the older DT_RPATH.
    pub run_paths: Vec<String>,
}

/// Empty for a program that is linked statically.
pub fn dynamic(file: &File) -> Result<Dynamic, String> {
    let mut dynamic = Dynamic::default();
    for section in &file.sections {
        let found = section.header.dynamic(ENDIAN, file.bytes);
        let Some((entries, strings)) = found.map_err(|error| file.invalid(error))? else {
            continue;
        };
        let strings = file
            .table
            .strings(ENDIAN, file.bytes, strings)
            .map_err(|error| file.invalid(error))?;
        for entry in entries {
            let tag = entry.d_tag(ENDIAN);
            if ![DT_NEEDED, DT_RPATH, DT_RUNPATH].contains(&tag) {
                continue;
            }
            let string = entry
                .string(ENDIAN, strings)
                .map_err(|error| file.invalid(error))?;
            let string = String::from_utf8_lossy(string);
            if tag == DT_NEEDED {
                dynamic.needed.push(string.into_owned());
            } else {
                dynamic
                    .run_paths
                    .extend(string.split(':').map(String::from));
            }
        }
    }
    Ok(dynamic)
}
