//! What is printed for people.

use std::fmt::Write;

use super::File;
use super::contents::{Binary, Contents, Kernel, Program};

pub fn format(files: &[File]) -> String {
    let mut text = String::new();
    for file in files {
        let what = kind(&file.contents);
        line(
            &mut text,
            0,
            &format!("{}: {what}, {} bytes", file.file, file.size),
        );
        match &file.contents {
            Contents::Executable(program) | Contents::SharedLibrary(program) => {
                add_program(&mut text, program);
            }
            Contents::Object { launches, images } => {
                let launches = if *launches {
                    "launches kernels"
                } else {
                    "launches no kernels"
                };
                line(&mut text, 1, launches);
                add_binaries(&mut text, images);
            }
            Contents::LinkedImage { kernels, .. } => add_kernels(&mut text, 1, kernels),
            Contents::OffloadBinary { binaries } => add_binaries(&mut text, binaries),
            Contents::Bitcode | Contents::Manifest | Contents::Unknown { .. } => {}
        }
    }
    text
}

fn kind(contents: &Contents) -> String {
    match contents {
        Contents::Executable(_) => "executable".into(),
        Contents::SharedLibrary(_) => "shared library".into(),
        Contents::Object { .. } => "object of the host".into(),
        Contents::LinkedImage { triple, arch, .. } => {
            let or_unknown =
                |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".into());
            format!(
                "linked image for {} ({})",
                or_unknown(arch),
                or_unknown(triple)
            )
        }
        Contents::OffloadBinary { .. } => "device image".into(),
        Contents::Bitcode => "LLVM bitcode".into(),
        Contents::Manifest => "manifest, for the rustc that wrote it".into(),
        Contents::Unknown { .. } => "another file".into(),
    }
}

fn add_program(text: &mut String, program: &Program) {
    line(text, 1, "the host launches");
    add_kernels(text, 2, &program.launches);
    for image in &program.images {
        line(
            text,
            1,
            &format!(
                "image for {} ({}), {} bytes at offset {}",
                image.arch, image.triple, image.size, image.offset
            ),
        );
        add_kernels(text, 2, &image.kernels);
    }
    line(text, 1, &format!("needs {}", or_nothing(&program.needs)));
    line(
        text,
        1,
        &format!("looks for them in {}", or_nothing(&program.run_paths)),
    );
    if program.problems.is_empty() {
        line(text, 1, "fits together");
    }
    for problem in &program.problems {
        line(text, 1, &format!("PROBLEM: {problem}"));
    }
}

fn add_kernels(text: &mut String, depth: usize, kernels: &[Kernel]) {
    if kernels.is_empty() {
        line(text, depth, "no kernel");
    }
    for Kernel { kernel, symbol } in kernels {
        line(
            text,
            depth,
            &if kernel == symbol {
                kernel.clone()
            } else {
                format!("{kernel}  {}", symbol.escape_debug())
            },
        );
    }
}

fn add_binaries(text: &mut String, binaries: &[Binary]) {
    for binary in binaries {
        let inflated = match binary.inflated_size {
            Some(size) => format!(", compressed from {size}"),
            None => String::new(),
        };
        line(
            text,
            1,
            &format!(
                "OffloadBinary version {}, {} bytes{inflated} at offset {}",
                binary.version, binary.size, binary.offset
            ),
        );
        for entry in &binary.entries {
            let unnamed = "(not named)";
            let strings: String = entry
                .strings
                .iter()
                .map(|(key, value)| format!(", {}={}", key.escape_debug(), value.escape_debug()))
                .collect();
            line(
                text,
                2,
                &format!(
                    "{} for {} ({}), {}, {} bytes at offset {}{strings}",
                    entry.image_kind,
                    entry.arch.as_deref().unwrap_or(unnamed).escape_debug(),
                    entry.triple.as_deref().unwrap_or(unnamed).escape_debug(),
                    entry.offload_kind,
                    entry.size,
                    entry.offset
                ),
            );
        }
    }
}

fn or_nothing(items: &[String]) -> String {
    if items.is_empty() {
        "nothing".into()
    } else {
        items.join(", ")
    }
}

fn line(text: &mut String, depth: usize, line: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{:width$}{line}", "", width = 2 * depth);
}
