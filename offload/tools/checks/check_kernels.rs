//! `check-kernels`: is every kernel that a program launches in every image that it has?
//!
//! The runtime would only find out when it launches the kernel.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use crate::arguments::{Arguments, required, set_once};
use crate::report;
use offload_formats::kernel_name::{KernelName, sorted};
use offload_formats::offload_content::OffloadContent;

struct Options {
    executable: String,
    label: String,
    archs: Vec<String>,
    out: String,
}

pub fn run(arguments: Arguments) -> Result<(), String> {
    let options = parse_options(arguments)?;
    let Options {
        executable, label, ..
    } = &options;
    let bytes = fs::read(executable)
        .map_err(|error| format!("{label}: the program {executable} cannot be read: {error}"))?;
    let text = OffloadContent::parse(&bytes)
        .and_then(|content| check(&options, &content))
        .map_err(|error| format!("{label}: {error}."))?;
    report::write(&options.out, &text)
}

fn parse_options(mut arguments: Arguments) -> Result<Options, String> {
    let [mut executable, mut label, mut archs, mut out] = [const { None }; 4];
    while let Some(option) = arguments.next_option()? {
        let slot = match option.as_str() {
            "--executable" => &mut executable,
            "--label" => &mut label,
            "--archs" => &mut archs,
            "--out" => &mut out,
            _ => return Err(format!("check-kernels has no option {option}")),
        };
        set_once(slot, &option, arguments.value(&option)?)?;
    }
    Ok(Options {
        executable: required(executable, "--executable")?,
        label: required(label, "--label")?,
        archs: required(archs, "--archs")?
            .split(',')
            .map(String::from)
            .collect(),
        out: required(out, "--out")?,
    })
}

/// Returns the report, or what is wrong.
fn check(wanted: &Options, content: &OffloadContent) -> Result<String, String> {
    // rustc embeds no image in a program that launches nothing.
    if !content.launched.is_empty() {
        check_archs(&wanted.archs, content)?;
    }
    // By symbol: the archs whose images lack it.
    let mut missing = BTreeMap::<&str, BTreeSet<&str>>::new();
    for image in &content.images {
        for symbol in content.launched.difference(&image.kernels) {
            missing.entry(symbol).or_default().insert(&image.arch);
        }
    }
    if !missing.is_empty() {
        return Err(missing_kernels(content.launched.len(), &missing));
    }
    Ok(report(&wanted.label, content))
}

fn check_archs(wanted: &[String], content: &OffloadContent) -> Result<(), String> {
    let launched = kernels(content.launched.len());
    if content.images.is_empty() {
        return Err(format!(
            "the program launches {launched} and has no device image. It launches {}. \
             Take what makes the linker drop sections out of `rustc_flags` and the flags of the C++ toolchain",
            join("; ", sorted(&content.launched))
        ));
    }
    let missing: Vec<&String> = wanted
        .iter()
        .filter(|arch| !content.images.iter().any(|image| image.arch == **arch))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let found = content.images.iter().map(|image| {
        // Escaped: they may be anything.
        let (arch, triple) = (image.arch.escape_debug(), image.triple.escape_debug());
        format!("{arch} ({triple})")
    });
    Err(format!(
        "the program launches {launched} and has no device image for {}. It has images for {}. \
         Write the archs of these images into `archs`, or link an image for each of its archs",
        join(", ", missing),
        join(", ", found)
    ))
}

/// What is missing in which images, and what to do about it.
fn missing_kernels(launched: usize, missing: &BTreeMap<&str, BTreeSet<&str>>) -> String {
    let names = sorted(missing.keys().copied());
    let which = match (launched, names.len()) {
        (1, _) => "which is".into(),
        (_, 1) => "1 of which is".into(),
        (_, count) => format!("{count} of which are"),
    };
    let found = names.iter().map(|name| {
        let crate_name = name.crate_name();
        let of = crate_name.map_or_else(String::new, |name| format!(" of the crate {name}"));
        let archs = missing[name.symbol()].iter();
        let archs = join(", ", archs.map(|arch| arch.escape_debug()));
        format!("{name}{of} is missing for {archs}")
    });
    let crates: BTreeSet<String> = names.iter().filter_map(KernelName::crate_name).collect();
    let (crates, are) = match crates.len() {
        0 => ("its crate".into(), "it is"),
        1 => (format!("the crate {}", join(", ", crates)), "it is"),
        _ => (format!("the crates {}", join(", ", crates)), "they are"),
    };
    format!(
        "the program launches {}, {which} not in every device image. {}. \
         Write {crates} into `deps` or `device_deps`, so that {are} compiled for the device; \
         what is there already, or is the target itself, must not have the kernel under `#[cfg(not(offload_device))]`",
        kernels(launched),
        join("; ", found),
    )
}

fn report(label: &str, content: &OffloadContent) -> String {
    let mut text = format!("{label}\n");
    // In their order, which the runtime goes by.
    for image in &content.images {
        let _ = writeln!(
            text,
            "image {} {}: {}, {} bytes at offset {}",
            image.triple.escape_debug(),
            image.arch.escape_debug(),
            kernels(image.kernels.len()),
            image.size,
            image.offset
        );
    }
    let _ = writeln!(text, "launches {}", kernels(content.launched.len()));
    for name in sorted(&content.launched) {
        let _ = writeln!(text, "{name}");
    }
    text
}

fn kernels(count: usize) -> String {
    match count {
        1 => "1 kernel".into(),
        _ => format!("{count} kernels"),
    }
}

fn join(separator: &str, items: impl IntoIterator<Item = impl ToString>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;
    use crate::testing::Random;
    use crate::testing::elf::{Entry, Pointers, Program, gfx90a, program, sm_90};
    use std::path::Path;

    const LABEL: &str = "@@//app:app";

    fn run_on(dir: &TestDir, bytes: impl AsRef<[u8]>, archs: &str) -> Result<String, String> {
        let executable = dir.write("app", bytes);
        let out = dir.path("kernels.txt");
        let line = format!("--executable {executable} --label {LABEL} --archs {archs} --out {out}");
        let result = run(Arguments::new(line.split(' ').map(Into::into).collect()));
        // A report, if and only if all is well.
        assert_eq!(Path::new(&out).exists(), result.is_ok());
        result.map(|()| fs::read_to_string(out).unwrap())
    }

    fn check(program: &Program) -> Result<String, String> {
        run_on(&TestDir::new(), program.bytes(), "gfx90a,sm_90")
    }

    fn launching(kernels: &[&'static str]) -> Vec<Entry> {
        let entry = |&name| Entry {
            name,
            ..Entry::default()
        };
        kernels.iter().map(entry).collect()
    }

    #[test]
    fn every_kernel_is_in_every_image() {
        let mut all = program();
        all.entries.reverse();
        let report = check(&all).unwrap();
        let lines: Vec<&str> = report.lines().collect();
        let [label, first, second, rest @ ..] = &lines[..] else {
            panic!("{report}");
        };
        assert_eq!(*label, "@@//app:app");
        assert!(first.starts_with("image amdgcn-amd-amdhsa gfx90a: 2 kernels, "));
        assert!(second.starts_with("image nvptx64-nvidia-cuda sm_90: 2 kernels, "));
        assert_eq!(
            rest,
            ["launches 2 kernels", "a::f (_RNvC1a1f)", "b::g (_RNvC1b1g)"]
        );
    }

    #[test]
    fn more_than_is_launched_or_asked_for() {
        let mut more = program();
        more.entries.pop();
        more.images.insert(0, sm_90(&["_RNvC1a1f"]));
        let report = run_on(&TestDir::new(), more.bytes(), "gfx90a").unwrap();
        assert_eq!(report.matches("\nimage ").count(), 3);
        assert!(report.contains("\nimage nvptx64-nvidia-cuda sm_90: 1 kernel, "));
        assert!(report.ends_with("\nlaunches 1 kernel\na::f (_RNvC1a1f)\n"));
    }

    #[test]
    fn a_program_that_launches_nothing() {
        let mut nothing = program();
        nothing.entries.clear();
        let report = check(&nothing).unwrap();
        assert_eq!(report.matches("\nimage ").count(), 2);
        assert!(report.ends_with("\nlaunches 0 kernels\n"));
        // rustc leaves the images out.
        nothing.images.clear();
        nothing.has_entries_section = false;
        assert_eq!(
            check(&nothing),
            Ok("@@//app:app\nlaunches 0 kernels\n".into())
        );
    }

    #[test]
    fn missing_in_one_image() {
        let mut lacking = program();
        lacking.images[1] = sm_90(&["_RNvC1b1g"]);
        assert_eq!(
            check(&lacking).unwrap_err(),
            "@@//app:app: the program launches 2 kernels, 1 of which is not in every device image. \
             a::f (_RNvC1a1f) of the crate a is missing for sm_90. \
             Write the crate a into `deps` or `device_deps`, so that it is compiled for the device; \
             what is there already, or is the target itself, must not have the kernel under `#[cfg(not(offload_device))]`."
        );
    }

    #[test]
    fn missing_in_several_images() {
        let mut lacking = program();
        lacking.images = vec![gfx90a(&[]), sm_90(&["_RNvC1b1g"]), gfx90a(&[])];
        assert_eq!(
            check(&lacking).unwrap_err(),
            "@@//app:app: the program launches 2 kernels, 2 of which are not in every device image. \
             a::f (_RNvC1a1f) of the crate a is missing for gfx90a, sm_90; \
             b::g (_RNvC1b1g) of the crate b is missing for gfx90a. \
             Write the crates a, b into `deps` or `device_deps`, so that they are compiled for the device; \
             what is there already, or is the target itself, must not have the kernel under `#[cfg(not(offload_device))]`."
        );
    }

    #[test]
    fn missing_and_without_a_crate() {
        let mut lacking = program();
        lacking.entries = launching(&["unmangled"]);
        assert_eq!(
            check(&lacking).unwrap_err(),
            "@@//app:app: the program launches 1 kernel, which is not in every device image. \
             unmangled is missing for gfx90a, sm_90. \
             Write its crate into `deps` or `device_deps`, so that it is compiled for the device; \
             what is there already, or is the target itself, must not have the kernel under `#[cfg(not(offload_device))]`."
        );
    }

    #[test]
    fn no_image_at_all() {
        let mut none = program();
        none.images.clear();
        assert_eq!(
            check(&none).unwrap_err(),
            "@@//app:app: the program launches 2 kernels and has no device image. \
             It launches a::f (_RNvC1a1f); b::g (_RNvC1b1g). \
             Take what makes the linker drop sections out of `rustc_flags` and the flags of the C++ toolchain."
        );
    }

    #[test]
    fn no_image_for_an_arch() {
        assert_eq!(
            run_on(
                &TestDir::new(),
                program().bytes(),
                "gfx90a,gfx942,sm_90,sm_80"
            )
            .unwrap_err(),
            "@@//app:app: the program launches 2 kernels and has no device image for gfx942, sm_80. \
             It has images for gfx90a (amdgcn-amd-amdhsa), sm_90 (nvptx64-nvidia-cuda). \
             Write the archs of these images into `archs`, or link an image for each of its archs."
        );
        let mut odd = program();
        odd.images.truncate(1);
        odd.images[0].container = Some(("a\u{1b}", "b\"c"));
        let error = check(&odd).unwrap_err();
        assert!(error.contains(" It has images for b\\\"c (a\\u{1b}). "));
    }

    #[test]
    fn what_is_no_program() {
        assert_eq!(
            run_on(&TestDir::new(), "#!/bin/sh\n", "gfx90a"),
            Err("@@//app:app: the program is no ELF file of 64 bits, little endian. \
                 It has the bytes [23, 21, 2f, 62, 69, 6e] at offset 0, not [7f, 45, 4c, 46, 02, 01]."
                .into())
        );
        let error = |line: &str| {
            run(Arguments::new(line.split(' ').map(Into::into).collect())).unwrap_err()
        };
        assert_eq!(
            error("--executable /no/such/app --label //a --archs a --out o"),
            "//a: the program /no/such/app cannot be read: No such file or directory (os error 2)"
        );
        assert_eq!(
            error("--program a"),
            "check-kernels has no option --program"
        );
        assert_eq!(
            error("--executable a --label //a --out o"),
            "--archs is missing"
        );
    }

    #[test]
    fn every_prefix_is_an_error() {
        let bytes = program().bytes();
        for length in 0..bytes.len() {
            let error = OffloadContent::parse(&bytes[..length]).expect_err("an error");
            assert!(
                error.contains(&format!("truncated at offset {length}, ")),
                "{error}"
            );
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let mut random = Random::new(1);
        let options = Options {
            executable: String::new(),
            label: String::new(),
            archs: vec!["gfx90a".into()],
            out: String::new(),
        };
        let check = |bytes: &[u8]| {
            if let Ok(content) = OffloadContent::parse(bytes) {
                let _ = super::check(&options, &content);
            }
        };
        for pointers in [Pointers::Rela, Pointers::InPlace] {
            let valid = Program {
                pointers,
                ..program()
            }
            .bytes();
            for _ in 0..2_000 {
                let mut bytes = valid.clone();
                for _ in 0..=random.below(4) {
                    let index = random.below(bytes.len());
                    bytes[index] = random.byte();
                }
                check(&bytes);
                // A field of large numbers, which overflow when they are added to something.
                let index = random.below(bytes.len() / 8) * 8;
                bytes[index..index + 8].fill(0xff);
                bytes[index] = random.byte();
                check(&bytes);
                // Whatever was overwritten, it is an ELF file again.
                bytes[..64].copy_from_slice(&valid[..64]);
                check(&bytes);
            }
        }
    }
}
