//! What Bazel's validation actions run: a subcommand checks one thing and writes a report where all is well.

#![forbid(unsafe_code)]

mod arguments;
mod check_image;
mod check_kernels;
mod check_llvm;
mod report;
#[cfg(test)]
#[path = "../formats/testing/dir.rs"]
mod test_dir;
#[cfg(test)]
#[path = "../formats/testing/mod.rs"]
mod testing;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use arguments::Arguments;

const SUBCOMMANDS: &str = "The subcommands are check-image, check-kernels and check-llvm.";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not `eprintln!`, which panics where stderr is closed.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command_line: Vec<OsString>) -> Result<(), String> {
    let mut arguments = Arguments::new(command_line);
    match arguments.next_option()?.as_deref() {
        Some("check-image") => check_image::run(arguments),
        Some("check-kernels") => check_kernels::run(arguments),
        Some("check-llvm") => check_llvm::run(arguments),
        Some(other) => Err(format!("there is no subcommand {other}. {SUBCOMMANDS}")),
        None => Err(format!("there is no subcommand. {SUBCOMMANDS}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_command_line() {
        let error = |arguments: &[&str]| {
            run(arguments.iter().map(OsString::from).collect()).expect_err("an error")
        };
        assert_eq!(
            error(&[]),
            "there is no subcommand. The subcommands are check-image, check-kernels and check-llvm."
        );
        assert_eq!(
            error(&["check"]),
            "there is no subcommand check. The subcommands are check-image, check-kernels and check-llvm."
        );
        assert_eq!(error(&["check-image", "--image"]), "--image has no value");
        assert_eq!(error(&["check-llvm", "--fix"]), "--fix has no value");
    }
}
