//! What Bazel says to a test. (Bazel's "Test encyclopedia", "Initial conditions")

use std::env::{self, VarError};
use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// The variable that has the runtime print what it does.
pub const RUNTIME_INFO: &str = "LIBOMPTARGET_INFO";

/// Bazel kills a test at its timeout. What is to be said has to be said before.
const LONGEST_MARGIN: Duration = Duration::from_secs(5);

#[derive(Default)]
pub struct Environment {
    /// When the test has to be over.
    pub deadline: Option<Deadline>,
    pub shard: Option<Shard>,
    pub shard_status_file: Option<PathBuf>,
    /// Of `--test_filter`.
    pub filter: Option<String>,
    pub xml_output: Option<PathBuf>,
    /// Whether somebody wants the runtime's messages in the log, by LIBOMPTARGET_INFO.
    pub user_reads_messages: bool,
    pub visible_to_cuda: Option<String>,
    pub visible_to_rocr: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deadline {
    pub at: Instant,
    /// Of the test.
    pub timeout: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shard {
    pub index: usize,
    pub total: usize,
}

impl Environment {
    pub fn read() -> anyhow::Result<Self> {
        Self::parse(Instant::now(), |name| match env::var(name) {
            Ok(value) => Ok(Some(value)),
            Err(VarError::NotPresent) => Ok(None),
            Err(error) => Err(error).with_context(|| format!("{name} is not text")),
        })
    }

    fn parse(
        now: Instant,
        variable: impl Fn(&str) -> anyhow::Result<Option<String>>,
    ) -> anyhow::Result<Self> {
        let number = |name: &str| -> anyhow::Result<Option<u64>> {
            variable(name)?
                .map(|value| {
                    let parsed = value.parse();
                    parsed.with_context(|| format!("{name} is no number: {value}"))
                })
                .transpose()
        };
        let path = |name: &str| anyhow::Ok(variable(name)?.map(PathBuf::from));
        let shard = match (number("TEST_SHARD_INDEX")?, number("TEST_TOTAL_SHARDS")?) {
            (Some(index), Some(total)) if index < total => Some(Shard {
                index: usize::try_from(index)?,
                total: usize::try_from(total)?,
            }),
            (_, None | Some(0)) => None,
            (index, Some(total)) => {
                bail!("TEST_SHARD_INDEX is {index:?} with TEST_TOTAL_SHARDS {total}")
            }
        };
        Ok(Self {
            deadline: number("TEST_TIMEOUT")?.and_then(|seconds| Deadline::new(now, seconds)),
            shard,
            shard_status_file: path("TEST_SHARD_STATUS_FILE")?,
            filter: variable("TESTBRIDGE_TEST_ONLY")?.filter(|filter| !filter.is_empty()),
            xml_output: path("XML_OUTPUT_FILE")?,
            user_reads_messages: variable(RUNTIME_INFO)?.is_some(),
            visible_to_cuda: variable("CUDA_VISIBLE_DEVICES")?,
            visible_to_rocr: variable("ROCR_VISIBLE_DEVICES")?,
        })
    }

    /// Tells Bazel that this test can be sharded.
    pub fn announce_sharding(&self) -> anyhow::Result<()> {
        let Some(file) = &self.shard_status_file else {
            return Ok(());
        };
        File::create(file)
            .with_context(|| format!("{} cannot be written", file.display()))
            .map(drop)
    }
}

impl Deadline {
    fn new(start: Instant, timeout: u64) -> Option<Self> {
        let timeout = Duration::from_secs(timeout);
        let margin = LONGEST_MARGIN.min(timeout / 10);
        let at = start.checked_add(timeout - margin)?;
        Some(Self { at, timeout })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(now: Instant, variables: &[(&str, &str)]) -> anyhow::Result<Environment> {
        Environment::parse(now, |name| {
            let value = variables.iter().find(|(key, _)| *key == name);
            Ok(value.map(|(_, value)| value.to_string()))
        })
    }

    #[test]
    fn what_bazel_says() {
        let now = Instant::now();
        let environment = parse(
            now,
            &[
                ("TEST_TIMEOUT", "60"),
                ("TEST_SHARD_INDEX", "1"),
                ("TEST_TOTAL_SHARDS", "3"),
                ("TESTBRIDGE_TEST_ONLY", "fills"),
                ("XML_OUTPUT_FILE", "/x/test.xml"),
                (RUNTIME_INFO, "16"),
            ],
        )
        .unwrap();
        assert_eq!(
            environment.deadline,
            Some(Deadline {
                at: now + Duration::from_secs(55),
                timeout: Duration::from_secs(60)
            })
        );
        assert_eq!(environment.shard, Some(Shard { index: 1, total: 3 }));
        assert_eq!(environment.filter.as_deref(), Some("fills"));
        assert_eq!(environment.xml_output, Some("/x/test.xml".into()));
        assert!(environment.user_reads_messages);
    }

    #[test]
    fn outside_of_bazel() {
        let environment = parse(Instant::now(), &[("TESTBRIDGE_TEST_ONLY", "")]).unwrap();
        assert_eq!(environment.deadline, None);
        assert_eq!(environment.shard, None);
        assert_eq!(environment.filter, None);
        assert!(!environment.user_reads_messages);
    }

    #[test]
    fn what_is_wrong() {
        let error = |variables: &[(&str, &str)]| {
            let result = parse(Instant::now(), variables);
            format!("{:#}", result.err().expect("an error"))
        };
        assert_eq!(
            error(&[("TEST_TIMEOUT", "1m")]),
            "TEST_TIMEOUT is no number: 1m: invalid digit found in string"
        );
        assert_eq!(
            error(&[("TEST_SHARD_INDEX", "3"), ("TEST_TOTAL_SHARDS", "3")]),
            "TEST_SHARD_INDEX is Some(3) with TEST_TOTAL_SHARDS 3"
        );
    }

    #[test]
    fn a_deadline_that_no_clock_reaches() {
        let environment = parse(Instant::now(), &[("TEST_TIMEOUT", "18446744073709551615")]);
        assert_eq!(environment.unwrap().deadline, None);
    }
}
