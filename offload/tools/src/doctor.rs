//! `doctor`.

use std::process::ExitCode;

/// TODO
#[derive(clap::Args)]
pub struct Options {}

pub fn run(_options: Options) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
