//! `offload`: what is in programs with kernels, what this machine has for them, and how they run in tests.

#![forbid(unsafe_code)]

mod arguments_file;
mod devices;
mod diff;
mod doctor;
mod inspect;
mod launch;
mod messages;
mod package;
mod report;
#[cfg(test)]
#[path = "../formats/testing/dir.rs"]
mod test_dir;
#[cfg(test)]
#[allow(dead_code, reason = "each crate uses a part of it")]
#[path = "../formats/testing/mod.rs"]
mod testing;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Shows what is in Rust programs with kernels for GPUs, and what a machine has to run them.
#[derive(Parser)]
#[command(name = "offload")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Inspect(inspect::Options),
    Report(report::Options),
    Diff(diff::Options),
    Doctor(doctor::Options),
    Launch(launch::Options),
    Package(package::Options),
}

fn main() -> ExitCode {
    match run(std::env::args_os()) {
        Ok(code) => code,
        Err(error) => {
            // Not `eprintln!`, which panics where stderr is closed.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(typed: impl IntoIterator<Item = OsString>) -> anyhow::Result<ExitCode> {
    let cli = Cli::parse_from(arguments_file::command_line(typed)?);
    match cli.command {
        Command::Inspect(options) => inspect::run(options),
        Command::Report(options) => report::run(options),
        Command::Diff(options) => diff::run(options),
        Command::Doctor(options) => doctor::run(options),
        Command::Launch(options) => launch::run(options),
        Command::Package(options) => package::run(options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
