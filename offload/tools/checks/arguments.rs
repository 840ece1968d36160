//! The command line, parts of which may be in a response file.

use std::ffi::OsString;
use std::fs;
use std::vec::IntoIter;

/// The arguments, in order. `@FILE` stands for the lines of a file, Bazel's params file of format "multiline".
pub struct Arguments {
    command_line: IntoIter<OsString>,
    response_file: IntoIter<String>,
}

impl Arguments {
    pub fn new(command_line: Vec<OsString>) -> Self {
        Self {
            command_line: command_line.into_iter(),
            response_file: Vec::new().into_iter(),
        }
    }

    /// The next argument, where an option or a subcommand is expected.
    pub fn next_option(&mut self) -> Result<Option<String>, String> {
        loop {
            // What is in a response file is taken as it is: one that names itself would have no end.
            if let Some(line) = self.response_file.next() {
                return Ok(Some(line));
            }
            let Some(argument) = self.next()? else {
                return Ok(None);
            };
            let Some(path) = argument.strip_prefix('@') else {
                return Ok(Some(argument));
            };
            let text = fs::read_to_string(path)
                .map_err(|error| format!("the response file {path} cannot be read: {error}"))?;
            let lines: Vec<String> = text.lines().map(String::from).collect();
            self.response_file = lines.into_iter();
        }
    }

    /// The value that follows an option. It is never a response file: a label starts with `@`, too.
    pub fn value(&mut self, option: &str) -> Result<String, String> {
        self.next()?.ok_or_else(|| format!("{option} has no value"))
    }

    fn next(&mut self) -> Result<Option<String>, String> {
        if let Some(line) = self.response_file.next() {
            return Ok(Some(line));
        }
        self.command_line
            .next()
            .map(|argument| {
                argument
                    .into_string()
                    .map_err(|argument| format!("the argument {argument:?} is not UTF-8"))
            })
            .transpose()
    }
}

/// Keeps the value of an option that may be given once.
pub fn set_once<T>(slot: &mut Option<T>, option: &str, value: T) -> Result<(), String> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("{option} is given twice")),
    }
}

pub fn required<T>(slot: Option<T>, option: &str) -> Result<T, String> {
    slot.ok_or_else(|| format!("{option} is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    fn arguments(command_line: &[&str]) -> Arguments {
        Arguments::new(command_line.iter().map(OsString::from).collect())
    }

    fn options(mut arguments: Arguments) -> Result<Vec<String>, String> {
        std::iter::from_fn(|| arguments.next_option().transpose()).collect()
    }

    #[test]
    fn a_response_file_stands_for_its_lines() {
        let dir = TestDir::new();
        let file = dir.write("params", "--fix\nWrite a = \"b\" here.\n\n@params\n");
        let response = format!("@{file}");
        assert_eq!(
            options(arguments(&["first", &response, "last"])),
            Ok([
                "first",
                "--fix",
                "Write a = \"b\" here.",
                "",
                "@params",
                "last"
            ]
            .map(String::from)
            .into())
        );
        let mut only = arguments(&[&response]);
        assert_eq!(only.next_option(), Ok(Some("--fix".into())));
        assert_eq!(only.value("--fix"), Ok("Write a = \"b\" here.".into()));
    }

    #[test]
    fn a_label_is_no_response_file() {
        let mut arguments = arguments(&["--label", "@@//a:b"]);
        assert_eq!(arguments.next_option(), Ok(Some("--label".into())));
        assert_eq!(arguments.value("--label"), Ok("@@//a:b".into()));
        assert_eq!(arguments.next_option(), Ok(None));
        assert_eq!(
            arguments.value("--out"),
            Err("--out has no value".to_string())
        );
    }

    #[test]
    fn a_response_file_that_cannot_be_read() {
        assert_eq!(
            options(arguments(&["@/no/such/file"])),
            Err(
                "the response file /no/such/file cannot be read: No such file or directory (os error 2)"
                    .to_string()
            )
        );
        let dir = TestDir::new();
        let file = dir.write("params", [0xff, b'\n']);
        assert_eq!(
            options(arguments(&[&format!("@{file}")])),
            Err(format!(
                "the response file {file} cannot be read: stream did not contain valid UTF-8"
            ))
        );
    }

    #[cfg(unix)]
    #[test]
    fn an_argument_that_is_not_utf8() {
        use std::os::unix::ffi::OsStringExt;
        let mut arguments = Arguments::new(vec![OsString::from_vec(vec![b'a', 0xff])]);
        assert_eq!(
            arguments.next_option(),
            Err("the argument \"a\\xFF\" is not UTF-8".to_string())
        );
    }

    #[test]
    fn once_and_required() {
        let mut slot = None;
        assert_eq!(set_once(&mut slot, "--out", 1), Ok(()));
        assert_eq!(
            set_once(&mut slot, "--out", 2),
            Err("--out is given twice".to_string())
        );
        assert_eq!(
            required(None::<u8>, "--out"),
            Err("--out is missing".to_string())
        );
    }
}
