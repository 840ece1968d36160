//! The offload runtime, and what it needs to be loaded.

use std::fs;
use std::path::Path;
use std::process::Command;

use offload_formats::llvm_version::LlvmVersion;
use serde::Serialize;

use super::libraries::Libraries;
use crate::devices::Vendor;

const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";
const OMPTARGET: &str = "libomptarget.so";
const LLVM: &str = "libLLVM.so.";

#[derive(Debug, Serialize)]
pub struct Runtime {
    pub folder: String,
    /// The file name of libomptarget.
    pub omptarget: Option<String>,
    /// Of the LLVM that it loads: major and minor.
    pub llvm_version: Option<String>,
    pub llvm_matches: Option<bool>,
    /// Libraries that it needs and that are not found.
    pub missing: Vec<String>,
    /// What its plugins open when a program starts.
    pub driver_libraries: Vec<DriverLibrary>,
    pub error: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct DriverLibrary {
    pub vendor: Vendor,
    pub name: String,
    pub path: Option<String>,
}

pub fn find(folder: &Path, llvm: Option<LlvmVersion>, libraries: &Libraries) -> Runtime {
    let mut runtime = Runtime {
        folder: folder.display().to_string(),
        omptarget: None,
        llvm_version: None,
        llvm_matches: None,
        missing: Vec::new(),
        driver_libraries: Vec::new(),
        error: None,
    };
    let Some(name) = omptarget(folder) else {
        runtime.error = Some(format!("there is no {OMPTARGET}"));
        return runtime;
    };
    let file = folder.join(&name);
    runtime.omptarget = Some(name);
    match Command::new(LOADER).arg("--list").arg(&file).output() {
        Err(error) => runtime.error = Some(format!("{LOADER} cannot be started: {error}")),
        Ok(output) => {
            let printed = String::from_utf8_lossy(&output.stdout);
            runtime.missing = missing(&printed);
            runtime.add_llvm(&printed, llvm);
            if !output.status.success() && runtime.missing.is_empty() {
                let said = String::from_utf8_lossy(&output.stderr);
                runtime.error = Some(format!("it cannot be loaded: {}", said.trim()));
            }
        }
    }
    let names = driver_libraries(&fs::read(&file).unwrap_or_default());
    let driver_libraries = names.into_iter().map(|(vendor, name)| DriverLibrary {
        vendor,
        path: libraries.find(&name).map(|path| path.display().to_string()),
        name,
    });
    runtime.driver_libraries = driver_libraries.collect();
    runtime
}

fn omptarget(folder: &Path) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| name.starts_with(OMPTARGET)).min()
}

/// `libffi.so.8 => not found`
fn missing(printed: &str) -> Vec<String> {
    let lines = printed.lines();
    let missing = lines.filter_map(|line| line.trim().strip_suffix(" => not found"));
    missing.map(String::from).collect()
}

/// By the strings in libomptarget: some versions open `libcuda.so.1`, others `libcuda.so`.
fn driver_libraries(omptarget: &[u8]) -> Vec<(Vendor, String)> {
    let names = [
        (Vendor::Nvidia, "libcuda.so.1"),
        (Vendor::Nvidia, "libcuda.so"),
        (Vendor::Amd, "libhsa-runtime64.so.1"),
        (Vendor::Amd, "libhsa-runtime64.so"),
    ];
    let contains = |name: &str| {
        let string = format!("{name}\0");
        omptarget
            .windows(string.len())
            .any(|window| window == string.as_bytes())
    };
    let found = names.into_iter().filter(|(_, name)| contains(name));
    found.map(|(vendor, name)| (vendor, name.into())).collect()
}

impl Runtime {
    fn add_llvm(&mut self, printed: &str, wanted: Option<LlvmVersion>) {
        let name = printed
            .lines()
            .find_map(|line| line.trim().strip_prefix(LLVM)?.split(' ').next());
        let numbers = name.and_then(|name| {
            let (major, minor) = name.split_once('.')?;
            Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
        });
        self.llvm_version = numbers.map(|(major, minor)| format!("{major}.{minor}"));
        self.llvm_matches = numbers
            .zip(wanted)
            .map(|(numbers, wanted)| numbers == (wanted.major, wanted.minor));
    }

    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if let Some(error) = &self.error {
            problems.push(format!(
                "the offload runtime in {} cannot be used. {error}.",
                self.folder
            ));
        }
        if !self.missing.is_empty() {
            problems.push(format!(
                "the offload runtime cannot be loaded. Not found: {}. Install them.",
                self.missing.join(", ")
            ));
        }
        if let (Some(version), Some(false)) = (&self.llvm_version, self.llvm_matches) {
            problems.push(format!(
                "the offload runtime is of another LLVM than rustc, {version}. Take the one that came with rustc."
            ));
        }
        problems
    }

    /// The library of a vendor's driver, without which its GPUs are not there for the runtime.
    pub fn missing_driver_library(&self, vendor: Vendor) -> Option<String> {
        let mut libraries = self
            .driver_libraries
            .iter()
            .filter(|library| library.vendor == vendor)
            .peekable();
        libraries.peek()?;
        let names: Vec<&str> = libraries
            .clone()
            .map(|library| library.name.as_str())
            .collect();
        libraries.all(|library| library.path.is_none()).then(|| {
            let package = match vendor {
                Vendor::Amd => "ROCm's runtime (hsa-rocr), or add its folder to LD_LIBRARY_PATH",
                Vendor::Nvidia => "NVIDIA's driver, or hand its library over to the container",
            };
            format!(
                "the offload runtime does not find {}, and so no GPU of that vendor. Install {package}.",
                names.join(" or ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    fn runtime() -> Runtime {
        Runtime {
            folder: "lib".into(),
            omptarget: Some("libomptarget.so.22.1".into()),
            llvm_version: None,
            llvm_matches: None,
            missing: Vec::new(),
            driver_libraries: Vec::new(),
            error: None,
        }
    }

    #[test]
    fn what_the_loader_prints() {
        let printed = "\tlinux-vdso.so.1 (0x00007fa458663000)\n\
                       \tlibomp.so.5 => not found\n\
                       \tlibLLVM.so.22.1 => /a/libLLVM.so.22.1 (0x1)\n\
                       \tlibffi.so.8 => not found\n";
        assert_eq!(missing(printed), ["libomp.so.5", "libffi.so.8"]);
        let mut of_22 = runtime();
        of_22.add_llvm(printed, LlvmVersion::parse("22.1.8"));
        assert_eq!(
            (of_22.llvm_version.as_deref(), of_22.llvm_matches),
            (Some("22.1"), Some(true))
        );
        let mut other = runtime();
        other.add_llvm(printed, LlvmVersion::parse("23.1.0"));
        assert_eq!(
            other.problems(),
            [
                "the offload runtime is of another LLVM than rustc, 22.1. Take the one that came with rustc."
            ]
        );
        other.missing = missing(printed);
        assert_eq!(
            other.problems()[0],
            "the offload runtime cannot be loaded. Not found: libomp.so.5, libffi.so.8. Install them."
        );
    }

    #[test]
    fn a_folder_without_a_runtime() {
        let dir = TestDir::new();
        let folder = dir.path("");
        let found = find(Path::new(&folder), None, &Libraries::default());
        assert_eq!(
            found.problems(),
            [format!(
                "the offload runtime in {folder} cannot be used. there is no libomptarget.so."
            )]
        );
        dir.write("libomptarget.so.22.1", "no library");
        let found = find(Path::new(&folder), None, &Libraries::default());
        let [problem] = found.problems().try_into().unwrap();
        assert!(
            problem.starts_with(&format!(
                "the offload runtime in {folder} cannot be used. it cannot be loaded: "
            )),
            "{problem}"
        );
    }

    #[test]
    fn libraries_of_drivers() {
        let names = driver_libraries(b"x\0libhsa-runtime64.so\0libcuda.so.1\0libcuda.so.2\0");
        assert_eq!(
            names,
            [
                (Vendor::Nvidia, "libcuda.so.1".to_string()),
                (Vendor::Amd, "libhsa-runtime64.so".to_string()),
            ]
        );
        let mut runtime = runtime();
        assert_eq!(
            runtime.missing_driver_library(Vendor::Nvidia),
            None,
            "it has no such plugin"
        );
        runtime.driver_libraries.push(DriverLibrary {
            vendor: Vendor::Nvidia,
            name: "libcuda.so".into(),
            path: None,
        });
        assert_eq!(
            runtime.missing_driver_library(Vendor::Nvidia).unwrap(),
            "the offload runtime does not find libcuda.so, and so no GPU of that vendor. \
             Install NVIDIA's driver, or hand its library over to the container."
        );
        runtime.driver_libraries[0].path = Some("/lib/libcuda.so".into());
        assert_eq!(runtime.missing_driver_library(Vendor::Nvidia), None);
    }
}
