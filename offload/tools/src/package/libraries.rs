//! The libraries that programs and libraries of a package need, and that are not in it.

use anyhow::{Context, bail};
use offload_formats::elf::dynamic::{Dynamic, dynamic};
use offload_formats::elf::{self, File};

use super::tree::Tree;
use crate::doctor::libraries::Libraries;

/// The C library and the loader, which no program can bring along: every machine has its own.
const OF_THE_MACHINE: [&str; 9] = [
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libm.so.6",
    "libpthread.so.0",
    "libresolv.so.2",
    "librt.so.1",
    "libutil.so.1",
    "linux-vdso.so.1",
];
const ORIGIN: &str = "$ORIGIN";

/// Copies what is missing from where the dynamic loader of this machine finds it, and what that needs in turn.
pub fn add(tree: &mut Tree, libraries: &Libraries) -> anyhow::Result<()> {
    let mut unread = tree.paths();
    while let Some(path) = unread.pop() {
        let Some(dynamic) = dynamic_of(tree, &path)? else {
            continue;
        };
        let mut folders = folders(&path, &dynamic.run_paths);
        // A library of the machine has no run path. What it needs is found if it was loaded before, by what needs both.
        if folders.is_empty() {
            folders.push(folder_of(&path).into());
        }
        for name in &dynamic.needed {
            let found = folders
                .iter()
                .any(|folder| tree.contains(&join(folder, name)));
            if found || OF_THE_MACHINE.contains(&name.as_str()) {
                continue;
            }
            // The last one: the libraries of the runtime have that in common.
            let Some(folder) = folders.iter().rfind(|folder| tree.has_folder(folder)) else {
                bail!("{path} needs {name} and looks for it in no folder of the package");
            };
            let Some(file) = libraries.find(name) else {
                bail!("{path} needs {name}, which is neither in its runfiles nor on this machine");
            };
            let copy = join(folder, name);
            tree.copy(&copy, &file)?;
            unread.push(copy);
        }
    }
    Ok(())
}

/// None for a file that the loader has nothing to do with.
fn dynamic_of(tree: &Tree, path: &str) -> anyhow::Result<Option<Dynamic>> {
    let bytes = tree.read(path)?;
    // Images for GPUs are ELF files, too.
    if !bytes.starts_with(b"\x7fELF") || elf::code_object::vendor_of(&bytes).is_some() {
        return Ok(None);
    }
    let file = File::parse(&bytes, path).map_err(anyhow::Error::msg)?;
    let dynamic = dynamic(&file).map_err(anyhow::Error::msg);
    dynamic.with_context(|| path.to_string()).map(Some)
}

/// The folders of the package that the run paths lead to.
fn folders(path: &str, run_paths: &[String]) -> Vec<String> {
    let origin = folder_of(path);
    run_paths
        .iter()
        .filter_map(|run_path| resolve(origin, run_path.strip_prefix(ORIGIN)?))
        .collect()
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// None for what leads out of the package.
fn resolve(origin: &str, rest: &str) -> Option<String> {
    let mut parts: Vec<&str> = origin.split('/').filter(|part| !part.is_empty()).collect();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.into()
    } else {
        format!("{folder}/{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_paths_in_the_package() {
        let run_paths = [
            "$ORIGIN/../../lib",
            "$ORIGIN/program.runfiles/rust/lib",
            "$ORIGIN",
            "/usr/lib",
        ]
        .map(String::from);
        assert_eq!(
            folders("program", &run_paths),
            ["program.runfiles/rust/lib", ""]
        );
        assert_eq!(
            folders("program.runfiles/rust/lib/a.so", &run_paths),
            [
                "program.runfiles/lib",
                "program.runfiles/rust/lib/program.runfiles/rust/lib",
                "program.runfiles/rust/lib"
            ]
        );
    }
}
