//! The files that are named, and those in folders.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::File;
use super::contents::{self, Contents};

pub fn read_all(paths: &[PathBuf]) -> anyhow::Result<Vec<File>> {
    let mut files = Vec::new();
    for path in paths {
        let metadata =
            fs::metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
        if metadata.is_dir() {
            add_folder(path, &mut files)?;
        } else {
            let file = read(path)?;
            // In a folder it is one of many. By itself somebody expects something of it.
            if let Contents::Unknown { starts_with } = file.contents {
                bail!(
                    "{} is nothing that is known here: no ELF file, OffloadBinary, LLVM bitcode or manifest. \
                     It has the bytes {starts_with} at offset 0",
                    path.display()
                );
            }
            files.push(file);
        }
    }
    Ok(files)
}

fn add_folder(folder: &Path, files: &mut Vec<File>) -> anyhow::Result<()> {
    let cannot = || format!("the folder {} cannot be read", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        paths.push(entry.with_context(cannot)?.path());
    }
    paths.sort();
    for path in paths {
        // What a link leads to may be the folder itself.
        if path.is_dir() && !path.is_symlink() {
            add_folder(&path, files)?;
        } else if path.is_file() {
            files.push(read(&path)?);
        }
    }
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<File> {
    let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(File {
        file: path.display().to_string(),
        size: bytes.len() as u64,
        contents: contents::parse(&bytes)
            .map_err(anyhow::Error::msg)
            .with_context(|| path.display().to_string())?,
    })
}
