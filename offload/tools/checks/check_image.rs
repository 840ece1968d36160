//! `check-image`: is the device image what was asked for, and does the LLVM in use read it?

use std::fs;

use crate::arguments::{Arguments, required, set_once};
use crate::report;
use offload_formats::llvm_version::LlvmVersion;
use offload_formats::offload_binary::{
    Entry, IMAGE_KIND_BITCODE, OFFLOAD_KIND_OPENMP, VERSION_OFFSET, newest_version, version,
};

struct Options {
    image: String,
    label: String,
    triple: String,
    arch: String,
    llvm: LlvmVersion,
    out: String,
}

pub fn run(arguments: Arguments) -> Result<(), String> {
    let options = parse_options(arguments)?;
    let Options { image, label, .. } = &options;
    let bytes = fs::read(image)
        .map_err(|error| format!("{label}: the device image {image} cannot be read: {error}"))?;
    let text = check(&options, &bytes).map_err(|error| format!("{label}: {error}."))?;
    report::write(&options.out, &text)
}

fn parse_options(mut arguments: Arguments) -> Result<Options, String> {
    let [
        mut image,
        mut label,
        mut triple,
        mut arch,
        mut llvm,
        mut out,
    ] = [const { None }; 6];
    while let Some(option) = arguments.next_option()? {
        let slot = match option.as_str() {
            "--image" => &mut image,
            "--label" => &mut label,
            "--triple" => &mut triple,
            "--arch" => &mut arch,
            "--llvm" => &mut llvm,
            "--out" => &mut out,
            _ => return Err(format!("check-image has no option {option}")),
        };
        set_once(slot, &option, arguments.value(&option)?)?;
    }
    let llvm = required(llvm, "--llvm")?;
    Ok(Options {
        image: required(image, "--image")?,
        label: required(label, "--label")?,
        triple: required(triple, "--triple")?,
        arch: required(arch, "--arch")?,
        llvm: LlvmVersion::parse(&llvm)
            .ok_or_else(|| format!("--llvm is no version such as 22.1.8: {llvm}"))?,
        out: required(out, "--out")?,
    })
}

/// Returns the report, or what is wrong.
fn check(wanted: &Options, bytes: &[u8]) -> Result<String, String> {
    let version = version(bytes)?;
    let newest = newest_version(wanted.llvm.major);
    if version == 0 {
        return Err(format!(
            "the device image has OffloadBinary version 0 (at offset {VERSION_OFFSET}), which no LLVM writes"
        ));
    }
    if version > newest {
        return Err(format!(
            "the device image has OffloadBinary version {version}, and LLVM {} reads versions up to {newest}. \
             It was made by another rustc than the one in use, whose LLVM is {} (the version is at offset {VERSION_OFFSET})",
            wanted.llvm.major, wanted.llvm
        ));
    }

    let entry = Entry::parse(bytes, version)?;
    if entry.image_kind != IMAGE_KIND_BITCODE {
        return Err(format!(
            "the device image is of image kind {} (at offset {}). rustc writes bitcode, kind {IMAGE_KIND_BITCODE}",
            entry.image_kind, entry.image_kind_offset
        ));
    }
    if entry.offload_kind != OFFLOAD_KIND_OPENMP {
        return Err(format!(
            "the device image is of offload kind {} (at offset {}). rustc writes OpenMP, kind {OFFLOAD_KIND_OPENMP}",
            entry.offload_kind, entry.offload_kind_offset
        ));
    }
    for (key, wanted) in [("triple", &wanted.triple), ("arch", &wanted.arch)] {
        let Some((found, offset)) = entry.string(key)? else {
            return Err(format!(
                "the device image does not name its {key}. {wanted} was asked for"
            ));
        };
        if found != *wanted {
            // Quoted with escapes: it may be anything.
            return Err(format!(
                "the device image is for the {key} {found:?} (at offset {offset}). {wanted} was asked for"
            ));
        }
    }
    Ok(format!(
        "{}\nOffloadBinary version {version}, which LLVM {} reads\ntriple {}\narch {}\n{} bytes of bitcode for OpenMP at offset {}\n",
        wanted.label, wanted.llvm, wanted.triple, wanted.arch, entry.image_size, entry.image_offset
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;
    use crate::testing::{Image, Random};
    use std::path::Path;

    const LABEL: &str = "@@//tests/build:kernel_gfx90a";

    fn run_on(dir: &TestDir, bytes: impl AsRef<[u8]>, llvm: &str) -> Result<String, String> {
        let image = dir.write("device.bin", bytes);
        let out = dir.path("image.txt");
        let line = format!(
            "--image {image} --label {LABEL} --triple amdgcn-amd-amdhsa --arch gfx90a --llvm {llvm} --out {out}"
        );
        let result = run(Arguments::new(line.split(' ').map(Into::into).collect()));
        // A report, if and only if all is well.
        assert_eq!(Path::new(&out).exists(), result.is_ok());
        result.map(|()| fs::read_to_string(out).unwrap())
    }

    fn error(image: &Image, llvm: &str) -> String {
        run_on(&TestDir::new(), image.bytes(), llvm).expect_err("an error")
    }

    fn error_of(image: Image) -> String {
        error(&image, "22.1.8")
    }

    #[test]
    fn a_good_image() {
        assert_eq!(
            run_on(&TestDir::new(), Image::default().bytes(), "22.1.8").unwrap(),
            "@@//tests/build:kernel_gfx90a\n\
             OffloadBinary version 1, which LLVM 22.1.8 reads\n\
             triple amdgcn-amd-amdhsa\n\
             arch gfx90a\n\
             12 bytes of bitcode for OpenMP at offset 144\n"
        );
    }

    #[test]
    fn newer_llvms_read_older_versions() {
        for (llvm, newest) in [("22.1.8", 1), ("23.1.1", 2), ("24.0.0git", 3)] {
            for version in 1..=newest {
                let image = Image {
                    version,
                    ..Image::default()
                };
                let report = run_on(&TestDir::new(), image.bytes(), llvm).unwrap();
                assert!(report.contains(&format!("OffloadBinary version {version},")));
            }
        }
    }

    #[test]
    fn a_version_that_is_too_new() {
        for (version, llvm, major, newest) in [
            (9, "22.1.8", 22, 1),
            (2, "22.1.8", 22, 1),
            (3, "23.1.1", 23, 2),
            (u32::MAX, "24.1.0", 24, 3),
        ] {
            let image = Image {
                version,
                ..Image::default()
            };
            assert_eq!(
                error(&image, llvm),
                format!(
                    "@@//tests/build:kernel_gfx90a: the device image has OffloadBinary version {version}, \
                     and LLVM {major} reads versions up to {newest}. It was made by another rustc than the one in use, \
                     whose LLVM is {llvm} (the version is at offset 4)."
                )
            );
        }
    }

    #[test]
    fn version_0() {
        let image = Image {
            version: 0,
            ..Image::default()
        };
        assert_eq!(
            error_of(image),
            "@@//tests/build:kernel_gfx90a: the device image has OffloadBinary version 0 (at offset 4), which no LLVM writes."
        );
    }

    #[test]
    fn what_is_no_image() {
        assert_eq!(
            run_on(&TestDir::new(), "BC\u{0}\u{1}", "22.1.8"),
            Err("@@//tests/build:kernel_gfx90a: the device image is no OffloadBinary. It has the bytes [42, 43, 00, 01] at offset 0, not [10, ff, 10, ad].".to_string())
        );
        assert_eq!(
            run_on(&TestDir::new(), &Image::default().bytes()[..100], "22.1.8"),
            Err("@@//tests/build:kernel_gfx90a: the device image is truncated at offset 100. Its size at offset 8 is 160 bytes.".to_string())
        );
    }

    #[test]
    fn other_kinds() {
        let image = Image {
            image_kind: 1,
            ..Image::default()
        };
        assert_eq!(
            error_of(image),
            "@@//tests/build:kernel_gfx90a: the device image is of image kind 1 (at offset 32). rustc writes bitcode, kind 2."
        );
        let image = Image {
            offload_kind: 4,
            ..Image::default()
        };
        assert_eq!(
            error_of(image),
            "@@//tests/build:kernel_gfx90a: the device image is of offload kind 4 (at offset 34). rustc writes OpenMP, kind 1."
        );
    }

    #[test]
    fn another_triple_or_arch() {
        let with = |triple: &str, arch: &str| Image {
            strings: vec![
                ("triple".into(), triple.into()),
                ("arch".into(), arch.into()),
            ],
            ..Image::default()
        };
        assert_eq!(
            error_of(with("nvptx64-nvidia-cuda", "sm_90")),
            "@@//tests/build:kernel_gfx90a: the device image is for the triple \"nvptx64-nvidia-cuda\" (at offset 111). amdgcn-amd-amdhsa was asked for."
        );
        assert_eq!(
            error_of(with("amdgcn-amd-amdhsa", "gfx9\x1b\"0")),
            "@@//tests/build:kernel_gfx90a: the device image is for the arch \"gfx9\\u{1b}\\\"0\" (at offset 134). gfx90a was asked for."
        );
    }

    #[test]
    fn no_triple_or_arch() {
        let mut image = Image::default();
        image.strings.remove(1);
        assert_eq!(
            error_of(image),
            "@@//tests/build:kernel_gfx90a: the device image does not name its arch. gfx90a was asked for."
        );
        let image = Image {
            strings: Vec::new(),
            ..Image::default()
        };
        assert_eq!(
            error_of(image),
            "@@//tests/build:kernel_gfx90a: the device image does not name its triple. amdgcn-amd-amdhsa was asked for."
        );
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let valid = Image::default().bytes();
        let options = Options {
            image: String::new(),
            label: LABEL.into(),
            triple: "amdgcn-amd-amdhsa".into(),
            arch: "gfx90a".into(),
            llvm: LlvmVersion::parse("24.1.0").unwrap(),
            out: String::new(),
        };
        for length in 0..valid.len() {
            assert!(check(&options, &valid[..length]).is_err());
        }
        let mut random = Random::new(2);
        for _ in 0..50_000 {
            let mut bytes = valid.clone();
            let index = random.below(bytes.len());
            bytes[index] ^= 1 << random.below(8);
            let _ = check(&options, &bytes);
        }
    }

    #[test]
    fn errors_of_the_command_line() {
        let error = |line: &str| {
            run(Arguments::new(line.split(' ').map(Into::into).collect())).expect_err("an error")
        };
        let all = "--image no/such/file --label @@//a:b --triple t --arch a --out o";
        assert_eq!(error("--imag x"), "check-image has no option --imag");
        assert_eq!(error("--out a --out b"), "--out is given twice");
        assert_eq!(error(all), "--llvm is missing");
        assert_eq!(error("--llvm 22.1.8"), "--image is missing");
        assert_eq!(
            error(&format!("{all} --llvm new")),
            "--llvm is no version such as 22.1.8: new"
        );
        assert_eq!(
            error(&format!("{all} --llvm 22.1.8")),
            "@@//a:b: the device image no/such/file cannot be read: No such file or directory (os error 2)"
        );
    }
}
