//! `report`: what each kernel takes of the GPU.

pub mod amd;
pub mod budget;
pub mod kernels;
pub mod nvidia;
pub mod occupancy;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

use anyhow::Context;
use serde::Serialize;

use crate::messages::say;
use budget::Budget;
use kernels::Kernel;

/// Shows what each kernel takes of the GPU: registers, spills, memory, code.
#[derive(clap::Args)]
pub struct Options {
    /// Executables and shared libraries with images, AMD code objects, NVIDIA cubins.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Fails if a kernel takes more: `spills>0`, or `<part of its name>:registers>64`.
    #[arg(long, value_name = "BUDGET")]
    fail_if: Vec<Budget>,
    /// Writes the table to a file instead.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Writes the JSON to a file.
    #[arg(long)]
    json_out: Option<PathBuf>,
}

/// The JSON.
#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    kernels: &'a [Kernel],
}

const SCHEMA: u32 = 1;

pub fn run(options: Options) -> anyhow::Result<ExitCode> {
    let mut kernels = Vec::new();
    for file in &options.files {
        kernels.extend(kernels::read(file)?);
    }
    let table = table::format(&kernels);
    let json = serde_json::to_string_pretty(&Report {
        schema: SCHEMA,
        kernels: &kernels,
    })? + "\n";
    if let Some(file) = &options.json_out {
        write(file, &json)?;
    }
    match &options.out {
        Some(file) => write(file, &table)?,
        None => print(if options.json { &json } else { &table })?,
    }

    let violations: Vec<String> = options
        .fail_if
        .iter()
        .flat_map(|budget| budget.violations(&kernels))
        .collect();
    violations.iter().for_each(|violation| say(violation));
    Ok(if violations.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A reader that has seen enough (`| head`) is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("the results cannot be printed")
        }
        _ => Ok(()),
    }
}

fn write(file: &PathBuf, text: &str) -> anyhow::Result<()> {
    fs::write(file, text).with_context(|| {
        // Half a report is none. It may not have been made at all.
        let _ = fs::remove_file(file);
        format!("the report {} cannot be written", file.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;
    use crate::testing::Random;

    #[test]
    fn reports_are_whole_or_not_there() {
        let dir = TestDir::new();
        let file = PathBuf::from(dir.path("report.txt"));
        write(&file, "all\n").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "all\n");
        let error = write(&PathBuf::from("/no/such/folder/report.txt"), "").unwrap_err();
        assert_eq!(
            format!("{error:#}"),
            "the report /no/such/folder/report.txt cannot be written: No such file or directory (os error 2)"
        );
    }

    /// No panic, whatever the file.
    pub fn read_mangled(valid: &[u8]) {
        assert!(kernels::parse(valid).is_ok());
        for length in 0..valid.len() {
            let _ = kernels::parse(&valid[..length]);
        }
        let mut random = Random::new(7);
        for _ in 0..5_000 {
            let mut bytes = valid.to_vec();
            for _ in 0..=random.below(3) {
                let index = random.below(bytes.len());
                bytes[index] = random.byte();
            }
            let _ = kernels::parse(&bytes);
        }
    }
}
