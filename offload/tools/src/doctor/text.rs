//! The findings as people read them.

use std::fmt::Write;

use super::Findings;
use super::programs::Program;

const UNKNOWN: &str = "unknown version";

pub fn format(findings: &Findings) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let mut line = |what: &str, found: String| {
        let _ = writeln!(text, "{what:10}{found}");
    };
    if let Some(compiler) = &findings.compiler {
        line(
            "rustc",
            format!(
                "{}, LLVM {}  {}",
                compiler.release.as_deref().unwrap_or(UNKNOWN),
                compiler.llvm_version.as_deref().unwrap_or(UNKNOWN),
                compiler.path
            ),
        );
    }
    for tool in &findings.llvm_tools {
        line("LLVM", program(tool));
    }
    if let Some(ptxas) = &findings.ptxas {
        line("ptxas", program(ptxas));
    }
    if let Some(runtime) = &findings.runtime {
        let name = runtime.omptarget.as_deref().unwrap_or("no libomptarget");
        let llvm = runtime.llvm_version.as_deref().unwrap_or(UNKNOWN);
        line(
            "runtime",
            format!("{name}, LLVM {llvm}  {}", runtime.folder),
        );
        for library in &runtime.driver_libraries {
            let path = library.path.as_deref().unwrap_or("not found");
            line("", format!("opens {}: {path}", library.name));
        }
    }
    for device in &findings.devices {
        let memory = device
            .memory_bytes
            .map(|bytes| format!(", {} GiB", bytes >> 30))
            .unwrap_or_default();
        line(
            "GPU",
            format!(
                "{} {}, driver {}{memory}  {}  --config={}",
                device.index, device.name, device.driver, device.id, device.arch
            ),
        );
    }
    if findings.devices.is_empty() {
        line("GPU", "none".into());
    }
    for arch in &findings.archs {
        let devices = if arch.devices.is_empty() {
            "no GPU here".into()
        } else {
            arch.devices.join(", ")
        };
        line("built for", format!("{}: {devices}", arch.arch));
    }
    if findings.ready {
        text.push_str("\nOffload programs run here.\n");
    } else {
        text.push_str("\nOffload programs do not run here:\n");
        for reason in &findings.reasons {
            let _ = writeln!(text, "- {reason}");
        }
    }
    text
}

fn program(program: &Program) -> String {
    let version = program.version.as_deref().unwrap_or(UNKNOWN);
    let matches = match program.matches {
        Some(false) => ", NOT rustc's",
        _ => "",
    };
    format!("{version}{matches}  {}", program.path)
}
