//! `launch`: runs a test on a GPU that it was built for, or says why it cannot.

mod child;
mod choose;
mod environment;
mod libtest;
mod lock;
mod xml;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::Context;
use clap::ValueEnum;

use crate::devices;
use crate::messages::say;
use child::Ended;
use choose::Choice;
use environment::Environment;
use libtest::Results;

/// Runs a test program on a GPU that it was built for. This is how `rust_offload_test` starts.
#[derive(clap::Args)]
pub struct Options {
    /// The label of the test, for messages.
    #[arg(long)]
    label: String,
    /// The arches that the program has images for.
    #[arg(long, value_delimiter = ',', required = true)]
    archs: Vec<String>,
    /// What happens where no GPU fits.
    #[arg(long, value_enum, default_value_t = MissingGpu::Fail)]
    missing_gpu: MissingGpu,
    /// What made the program's main function.
    #[arg(long, value_enum, default_value_t = Harness::Libtest)]
    harness: Harness,
    /// The program: a path in the runfiles.
    #[arg(long)]
    program: String,
    /// Arguments of the program.
    #[arg(last = true)]
    arguments: Vec<OsString>,
}

#[derive(Clone, Copy, ValueEnum)]
enum MissingGpu {
    /// The test fails.
    Fail,
    /// The test passes, and its log and XML say that it was skipped.
    Skip,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Harness {
    Libtest,
    None,
}

pub fn run(options: Options) -> anyhow::Result<ExitCode> {
    let environment = Environment::read()?;
    environment.announce_sharding()?;
    let program = find_program(&options.program)?;
    if options.harness == Harness::Libtest && options.arguments.iter().any(|it| it == "--list") {
        return only_list(&program, &options.arguments);
    }
    let found = devices::find(Path::new("/"));
    let choice = choose::choose(&options.archs, found, &environment)?;
    let (device, _lock) = match choice {
        Choice::Device(device, lock) => (device, lock),
        Choice::Nothing(reason) => return missing_gpu(&options, &environment, &reason),
    };
    say(&format!("{}: runs on {device}", options.label));

    let mut command = Command::new(&program);
    choose::show_only(&mut command, &device);
    if options.harness == Harness::Libtest {
        let Some(arguments) =
            libtest::arguments(Command::new(&program), &options.arguments, &environment)?
        else {
            say("no test is in this shard");
            return Ok(ExitCode::SUCCESS);
        };
        command.args(arguments);
    } else {
        command.args(&options.arguments);
    }
    let mut results = Results::default();
    let started = Instant::now();
    let ended = child::run(command, environment.deadline, &mut results)
        .with_context(|| format!("the test program {} cannot be started", program.display()))?;
    write_xml(&options, &environment, &results, &ended, started)?;
    Ok(report(&options, &environment, &ended))
}

/// Listing needs no GPU.
fn only_list(program: &Path, arguments: &[OsString]) -> anyhow::Result<ExitCode> {
    let status = Command::new(program).args(arguments).status();
    let status = status.context("the test program cannot be started")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn find_program(path: &str) -> anyhow::Result<PathBuf> {
    let runfiles = runfiles::Runfiles::create()
        .context("the runfiles of the test cannot be found. Start it with bazel test, or with its runfiles tree beside it")?;
    runfiles
        .rlocation_from(path, "")
        .filter(|program| program.exists())
        .with_context(|| format!("the test program {path} is not in the runfiles"))
}

fn missing_gpu(
    options: &Options,
    environment: &Environment,
    reason: &str,
) -> anyhow::Result<ExitCode> {
    let label = &options.label;
    match options.missing_gpu {
        MissingGpu::Fail => anyhow::bail!(
            "{label}: no GPU here runs this test. It was {reason}. \
             Run it where there is one, or leave it out with --@rules_rust_offload//offload/settings:missing_gpu=skip."
        ),
        MissingGpu::Skip => {
            let message = format!("{label}: SKIPPED, no GPU here runs this test: {reason}");
            say(&message);
            if let Some(file) = &environment.xml_output {
                xml::write(file, label, &[xml::Case::skipped(label, &message)], None)?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn write_xml(
    options: &Options,
    environment: &Environment,
    results: &Results,
    ended: &Ended,
    started: Instant,
) -> anyhow::Result<()> {
    let Some(file) = &environment.xml_output else {
        return Ok(());
    };
    let mut cases = results.cases();
    let passed = ended.is_success();
    if cases.is_empty() || (!passed && !cases.iter().any(xml::Case::is_failure)) {
        let label = &options.label;
        cases.push(match ended.failure() {
            None => xml::Case::passed(label),
            Some(failure) => xml::Case::error(label, &failure),
        });
    }
    xml::write(file, &options.label, &cases, Some(started.elapsed()))
}

/// Says what a log alone would not, and hands over the exit status.
fn report(options: &Options, environment: &Environment, ended: &Ended) -> ExitCode {
    let label = &options.label;
    let messages = &ended.runtime_messages;
    if ended.is_success() {
        if messages.launches == 0 && !environment.user_reads_messages {
            say(&format!("{label}: no kernel was launched"));
        }
        return ExitCode::SUCCESS;
    }
    if let Some(failure) = ended.failure() {
        say(&format!("{label}: {failure}"));
    }
    if !environment.user_reads_messages {
        say(&messages.to_string());
    }
    ended.exit_code()
}
