//! `package`: a program in a folder with all that it needs but the C library and the GPU's driver.

mod libraries;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use crate::doctor::libraries::Libraries;
use tree::Tree;

/// Copies a program and its runfiles into a folder, and adds the libraries that neither has.
#[derive(clap::Args)]
pub struct Options {
    /// The label of the package, for messages.
    #[arg(long)]
    label: String,
    /// The folder.
    #[arg(long)]
    out: PathBuf,
    /// Where the sizes are written.
    #[arg(long)]
    sizes: PathBuf,
    /// A file with a line for each file of the folder: its path there, a tab, and the file to copy.
    #[arg(long)]
    files: PathBuf,
}

pub fn run(options: Options) -> anyhow::Result<ExitCode> {
    let list = std::fs::read_to_string(&options.files)
        .with_context(|| format!("{} cannot be read", options.files.display()))?;
    let mut tree = Tree::new(options.out);
    for line in list.lines() {
        let (path, file) = line
            .split_once('\t')
            .with_context(|| format!("{}: there is no tab in {line:?}", options.files.display()))?;
        tree.copy(path, file.as_ref())?;
    }
    libraries::add(&mut tree, &Libraries::of_machine("/".as_ref()))
        .with_context(|| options.label.clone())?;
    let sizes = tree.sizes();
    std::fs::write(&options.sizes, &sizes)
        .with_context(|| format!("{} cannot be written", options.sizes.display()))?;
    Ok(ExitCode::SUCCESS)
}
