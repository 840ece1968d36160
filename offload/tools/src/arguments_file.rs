//! Arguments that a Bazel rule has written beside this program.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::{fs, io};

use anyhow::Context;

/// What follows the program's name in the names of such files.
const SUFFIX: &str = ".arguments";

/// The command line, with the lines of `<program>.arguments` before what was typed, if there is that file.
///
/// Rules make an executable out of this program by a link to it, and a file of that name. The program is looked for by the
/// name it was started with: behind links it has no such file.
pub fn command_line(typed: impl IntoIterator<Item = OsString>) -> anyhow::Result<Vec<OsString>> {
    let mut typed = typed.into_iter();
    let Some(program) = typed.next() else {
        return Ok(Vec::new());
    };
    let written = written_arguments(&program)?;
    Ok([program].into_iter().chain(written).chain(typed).collect())
}

fn written_arguments(program: &OsStr) -> anyhow::Result<Vec<OsString>> {
    // Without a folder it was found on PATH, where no rule puts it.
    if Path::new(program).components().count() < 2 {
        return Ok(Vec::new());
    }
    let mut file = program.to_os_string();
    file.push(SUFFIX);
    match fs::read_to_string(&file) {
        Ok(text) => Ok(text.lines().map(OsString::from).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error)
            .with_context(|| format!("the arguments in {} cannot be read", file.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    fn line(typed: &[&str]) -> Vec<String> {
        let line = command_line(typed.iter().map(OsString::from)).unwrap();
        line.into_iter()
            .map(|argument| argument.into_string().unwrap())
            .collect()
    }

    #[test]
    fn written_arguments_come_first() {
        let dir = TestDir::new();
        dir.write("a_test.arguments", "launch\n--label=@@//a:a_test\n--\n");
        let program = dir.path("a_test");
        assert_eq!(
            line(&[&program, "--nocapture"]),
            [
                &program,
                "launch",
                "--label=@@//a:a_test",
                "--",
                "--nocapture"
            ]
        );
    }

    #[test]
    fn without_a_file_they_are_what_was_typed() {
        let dir = TestDir::new();
        let program = dir.path("offload");
        assert_eq!(
            line(&[&program, "inspect", "x"]),
            [&program, "inspect", "x"]
        );
        assert_eq!(line(&["offload", "doctor"]), ["offload", "doctor"]);
        assert_eq!(line(&[]), [""; 0]);
    }

    #[test]
    fn a_file_that_cannot_be_read() {
        let dir = TestDir::new();
        let file = dir.write("a_test.arguments", [0xff]);
        let error = command_line([OsString::from(dir.path("a_test"))]).unwrap_err();
        assert_eq!(
            format!("{error:#}"),
            format!("the arguments in {file} cannot be read: stream did not contain valid UTF-8")
        );
    }
}
