//! `offload`: what is in programs with kernels, what this machine has for them, and how they run in tests.

#![forbid(unsafe_code)]

mod diff;
mod doctor;
mod inspect;
mod launch;
mod report;

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
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            // Not `eprintln!`, which panics where stderr is closed.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Inspect(options) => inspect::run(options),
        Command::Report(options) => report::run(options),
        Command::Diff(options) => diff::run(options),
        Command::Doctor(options) => doctor::run(options),
        Command::Launch(options) => launch::run(options),
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
