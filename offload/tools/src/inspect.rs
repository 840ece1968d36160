//! `inspect`: what is in a file of an offload build.

mod contents;
mod files;
mod inflate;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use crate::messages::say;
use crate::report::print;
use contents::Contents;

/// Shows what is in a program, a device image, an object or a folder of them: images, kernels, and what they need.
#[derive(clap::Args)]
pub struct Options {
    /// Files, or folders such as `bazel-bin/examples/kernel.offload`.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Ends with status 1 if what the host launches and what the images have do not fit together.
    #[arg(long)]
    check: bool,
}

/// The JSON.
#[derive(Serialize)]
struct Inspection {
    schema: u32,
    files: Vec<File>,
}

const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct File {
    file: String,
    size: u64,
    #[serde(flatten)]
    contents: Contents,
}

pub fn run(options: Options) -> anyhow::Result<ExitCode> {
    let files = files::read_all(&options.paths)?;
    let problems: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let problems = file.contents.problems().iter();
            problems.map(|problem| format!("{}: {problem}", file.file))
        })
        .collect();
    if options.json {
        let inspection = Inspection {
            schema: SCHEMA,
            files,
        };
        print(&(serde_json::to_string_pretty(&inspection)? + "\n"))?;
    } else {
        print(&text::format(&files))?;
    }
    if options.check && !problems.is_empty() {
        problems.iter().for_each(|problem| say(problem));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
