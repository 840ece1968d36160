//! libtest's command line and output.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use anyhow::{Context, bail};

use super::environment::Environment;
use super::xml::Case;

/// The arguments of the program, or None if no test is in this shard. `program` starts it.
pub fn arguments(
    program: Command,
    typed: &[OsString],
    environment: &Environment,
) -> anyhow::Result<Option<Vec<OsString>>> {
    let mut arguments = typed.to_vec();
    arguments.extend(environment.filter.as_ref().map(OsString::from));
    let Some(shard) = environment.shard else {
        return Ok(Some(arguments));
    };
    let all = list(program, &arguments)?;
    let (mine, others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .enumerate()
        .partition(|(index, _)| index % shard.total == shard.index);
    if mine.is_empty() {
        return Ok(None);
    }
    // With `--exact` a filter is a whole name: one that names a test of another shard must not bring it here.
    arguments.retain(|argument| !others.iter().any(|(_, name)| argument == OsStr::new(name)));
    arguments.push("--exact".into());
    arguments.extend(mine.into_iter().map(|(_, name)| name.into()));
    Ok(Some(arguments))
}

/// The names of the tests that would run.
fn list(mut program: Command, arguments: &[OsString]) -> anyhow::Result<Vec<String>> {
    let output = program
        .args(arguments)
        .args(["--list", "--format=terse"])
        .output()
        .context("the test program cannot be started")?;
    if !output.status.success() {
        bail!(
            "the tests cannot be listed, for sharding: --list ended with {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let names = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .map(String::from)
        .collect();
    Ok(names)
}

/// What libtest says of each test, as far as it has come.
#[derive(Default)]
pub struct Results {
    cases: Vec<Case>,
    /// Of which test the output follows.
    failed: Option<usize>,
}

impl Results {
    /// Takes the next line of its output.
    pub fn line(&mut self, line: &str) {
        if let Some(name) = line
            .strip_prefix("---- ")
            .and_then(|line| line.strip_suffix(" stdout ----"))
        {
            self.failed = self.cases.iter().position(|case| case.name() == name);
        } else if line == "failures:" {
            self.failed = None;
        } else if let Some(failed) = self.failed {
            self.cases[failed].add_output(line);
        } else if let Some(case) = result(line) {
            self.cases.push(case);
        }
    }

    pub fn cases(&self) -> Vec<Case> {
        self.cases.clone()
    }
}

/// `test a::b ... ok`
fn result(line: &str) -> Option<Case> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    match result {
        "ok" => Some(Case::passed(name)),
        "FAILED" => Some(Case::failed(name, "FAILED")),
        _ => {
            let reason = result.strip_prefix("ignored")?;
            Some(Case::skipped(name, reason.trim_start_matches(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::environment::Shard;

    const OUTPUT: &str = "
running 4 tests
test tests::adds ... ok
test tests::fills ... FAILED
test tests::panics - should panic ... ok
test tests::slow ... ignored, takes a day

failures:

---- tests::fills stdout ----

thread 'tests::fills' panicked at vector_test.rs:30:9:
assertion `left == right` failed

failures:
    tests::fills

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

    #[test]
    fn results_of_tests() {
        let mut results = Results::default();
        OUTPUT.lines().for_each(|line| results.line(line));
        let mut fills = Case::failed("tests::fills", "FAILED");
        for line in [
            "",
            "thread 'tests::fills' panicked at vector_test.rs:30:9:",
            "assertion `left == right` failed",
            "",
        ] {
            fills.add_output(line);
        }
        assert_eq!(
            results.cases(),
            [
                Case::passed("tests::adds"),
                fills,
                Case::passed("tests::panics"),
                Case::skipped("tests::slow", "takes a day"),
            ]
        );
    }

    fn environment(filter: Option<&str>, shard: Option<(usize, usize)>) -> Environment {
        Environment {
            filter: filter.map(String::from),
            shard: shard.map(|(index, total)| Shard { index, total }),
            ..Environment::default()
        }
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    fn line(script: &str, typed: &[&str], environment: &Environment) -> Option<Vec<OsString>> {
        let typed: Vec<_> = typed.iter().map(OsString::from).collect();
        arguments(shell(script), &typed, environment).unwrap()
    }

    fn words(words: &[&str]) -> Option<Vec<OsString>> {
        Some(words.iter().map(OsString::from).collect())
    }

    #[test]
    fn filters_are_arguments() {
        let never = "exit 1";
        assert_eq!(
            line(never, &["--nocapture"], &environment(None, None)),
            words(&["--nocapture"])
        );
        assert_eq!(
            line(never, &["--nocapture"], &environment(Some("fills"), None)),
            words(&["--nocapture", "fills"])
        );
    }

    #[test]
    fn shards_are_lists_of_names() {
        let list = "echo a: test; echo b: test; echo c: test; echo d: benchmark";
        let shard = |index, total| {
            let environment = environment(None, Some((index, total)));
            line(list, &["--nocapture", "b"], &environment)
        };
        assert_eq!(shard(0, 2), words(&["--nocapture", "--exact", "a", "c"]));
        assert_eq!(shard(1, 2), words(&["--nocapture", "b", "--exact", "b"]));
        assert_eq!(shard(3, 4), None);
    }

    #[test]
    fn tests_that_cannot_be_listed() {
        let program = shell("echo no such option >&2; exit 101");
        let sharded = environment(None, Some((0, 2)));
        assert_eq!(
            arguments(program, &[], &sharded).unwrap_err().to_string(),
            "the tests cannot be listed, for sharding: --list ended with exit status: 101\nno such option\n"
        );
    }
}
