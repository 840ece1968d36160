//! `doctor`: what this machine has to build offload programs and to run them.

pub mod libraries;
mod programs;
mod runtime;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use crate::devices::{self, Device, Found, Vendor, arch_runs_on};
use crate::report::print;
use libraries::Libraries;
use programs::{Compiler, Program};
use runtime::Runtime;

/// Shows what this machine has to build offload programs and to run them. Ends with status 1 if they would not run here.
#[derive(clap::Args)]
pub struct Options {
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// The rustc that can offload.
    #[arg(long)]
    rustc: Option<PathBuf>,
    /// A program of LLVM, which has to be of rustc's LLVM.
    #[arg(long)]
    llvm_tool: Vec<PathBuf>,
    /// CUDA's assembler.
    #[arg(long)]
    ptxas: Option<PathBuf>,
    /// The folder of the offload runtime, libomptarget.
    #[arg(long)]
    runtime: Option<PathBuf>,
    /// The arches that are built for.
    #[arg(long, value_delimiter = ',')]
    archs: Vec<String>,
}

/// The JSON.
#[derive(Debug, Serialize)]
struct Findings {
    schema: u32,
    /// Whether an offload program will run here.
    ready: bool,
    /// Why not: each is wrong, and says what to do.
    reasons: Vec<String>,
    compiler: Option<Compiler>,
    llvm_tools: Vec<Program>,
    ptxas: Option<Program>,
    runtime: Option<Runtime>,
    devices: Vec<Device>,
    /// What kept GPUs from being found.
    device_problems: Vec<String>,
    archs: Vec<Arch>,
}

const SCHEMA: u32 = 1;

/// An arch that is built for, and the devices that it runs on.
#[derive(Debug, Serialize)]
struct Arch {
    arch: String,
    /// Their ids.
    devices: Vec<String>,
}

pub fn run(options: Options) -> anyhow::Result<ExitCode> {
    let root = Path::new("/");
    let findings = find(&options, devices::find(root), &Libraries::of_machine(root));
    print(&if options.json {
        serde_json::to_string_pretty(&findings)? + "\n"
    } else {
        text::format(&findings)
    })?;
    Ok(ExitCode::from(u8::from(!findings.ready)))
}

fn find(options: &Options, found: Found, libraries: &Libraries) -> Findings {
    let compiler = options.rustc.as_deref().map(programs::compiler);
    let llvm = compiler.as_ref().and_then(Compiler::llvm);
    let tools = options.llvm_tool.iter();
    let mut findings = Findings {
        schema: SCHEMA,
        ready: false,
        reasons: Vec::new(),
        llvm_tools: tools.map(|tool| programs::llvm_tool(tool, llvm)).collect(),
        compiler,
        ptxas: options.ptxas.as_deref().map(programs::ptxas),
        runtime: options
            .runtime
            .as_deref()
            .map(|folder| runtime::find(folder, llvm, libraries)),
        archs: archs(&options.archs, &found.devices),
        devices: found.devices,
        device_problems: found.problems,
    };
    findings.reasons = reasons(&findings);
    findings.ready = findings.reasons.is_empty();
    findings
}

fn archs(archs: &[String], devices: &[Device]) -> Vec<Arch> {
    let archs = archs.iter().map(|arch| Arch {
        arch: arch.clone(),
        devices: devices
            .iter()
            .filter(|device| arch_runs_on(arch, device))
            .map(|device| device.id.clone())
            .collect(),
    });
    archs.collect()
}

fn reasons(findings: &Findings) -> Vec<String> {
    let mut reasons = Vec::new();
    reasons.extend(findings.compiler.iter().filter_map(Compiler::problem));
    let programs = findings.llvm_tools.iter().chain(&findings.ptxas);
    reasons.extend(programs.filter_map(Program::problem));
    if let Some(runtime) = &findings.runtime {
        reasons.extend(runtime.problems());
    }
    reasons.extend(
        findings
            .device_problems
            .iter()
            .map(|problem| format!("{problem}.")),
    );
    if findings.devices.is_empty() {
        reasons.push("no GPU was found: programs build here, but do not run.".into());
        return reasons;
    }
    for vendor in [Vendor::Amd, Vendor::Nvidia] {
        let has_device = findings
            .devices
            .iter()
            .any(|device| device.vendor == vendor);
        if let Some(runtime) = findings.runtime.as_ref().filter(|_| has_device) {
            reasons.extend(runtime.missing_driver_library(vendor));
        }
    }
    if !findings.archs.is_empty() && findings.archs.iter().all(|arch| arch.devices.is_empty()) {
        let archs: Vec<&str> = findings
            .archs
            .iter()
            .map(|arch| arch.arch.as_str())
            .collect();
        let configs: Vec<String> = findings
            .devices
            .iter()
            .map(|device| format!("--config={}", device.arch))
            .collect();
        reasons.push(format!(
            "no GPU here runs what is built for {}. Build with {}.",
            archs.join(", "),
            configs.join(" or ")
        ));
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    fn h200() -> Device {
        Device {
            vendor: Vendor::Nvidia,
            index: 0,
            id: "GPU-1".into(),
            name: "NVIDIA H200".into(),
            arch: "sm_90".into(),
            driver: "580.1".into(),
            memory_bytes: Some(150 << 30),
        }
    }

    fn options(archs: &[&str]) -> Options {
        Options {
            json: false,
            rustc: None,
            llvm_tool: Vec::new(),
            ptxas: None,
            runtime: None,
            archs: archs.iter().map(ToString::to_string).collect(),
        }
    }

    fn found(archs: &[&str], devices: Vec<Device>) -> Findings {
        let found = Found {
            devices,
            problems: Vec::new(),
        };
        find(&options(archs), found, &Libraries::default())
    }

    #[test]
    fn a_gpu_that_fits() {
        for archs in [&[][..], &["sm_90"], &["gfx90a", "sm_90"]] {
            let findings = found(archs, vec![h200()]);
            assert!(findings.ready, "{:?}", findings.reasons);
        }
    }

    #[test]
    fn no_gpu() {
        let findings = found(&["sm_90"], Vec::new());
        assert!(!findings.ready);
        assert_eq!(
            findings.reasons,
            ["no GPU was found: programs build here, but do not run."]
        );
    }

    #[test]
    fn another_gpu() {
        let findings = found(&["gfx90a", "sm_80"], vec![h200()]);
        assert_eq!(
            findings.reasons,
            ["no GPU here runs what is built for gfx90a, sm_80. Build with --config=sm_90."]
        );
    }

    #[test]
    fn a_problem_of_the_devices() {
        let found = Found {
            devices: vec![h200()],
            problems: vec!["the NVIDIA GPU 1 cannot be used: it is lost".into()],
        };
        let findings = find(&options(&[]), found, &Libraries::default());
        assert_eq!(
            findings.reasons,
            ["the NVIDIA GPU 1 cannot be used: it is lost."]
        );
    }

    #[test]
    fn as_json() {
        let json = serde_json::to_value(found(&["sm_90"], vec![h200()])).unwrap();
        assert_eq!(
            json,
            serde_json::json!({
                "schema": 1,
                "ready": true,
                "reasons": [],
                "compiler": null,
                "llvm_tools": [],
                "ptxas": null,
                "runtime": null,
                "devices": [{
                    "vendor": "nvidia",
                    "index": 0,
                    "id": "GPU-1",
                    "name": "NVIDIA H200",
                    "arch": "sm_90",
                    "driver": "580.1",
                    "memory_bytes": 161061273600u64,
                }],
                "device_problems": [],
                "archs": [{"arch": "sm_90", "devices": ["GPU-1"]}],
            })
        );
    }
}
