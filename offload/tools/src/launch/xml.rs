//! Results in the form of JUnit, which Bazel and CI systems read.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    name: String,
    outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Passed,
    Skipped(String),
    /// What the test found wrong: the message, and what it printed.
    Failed(String, String),
    /// The program did not come to an end of its own.
    Error(String),
}

impl Case {
    pub fn passed(name: &str) -> Self {
        Self::new(name, Outcome::Passed)
    }

    pub fn skipped(name: &str, reason: &str) -> Self {
        Self::new(name, Outcome::Skipped(reason.into()))
    }

    pub fn failed(name: &str, message: &str) -> Self {
        Self::new(name, Outcome::Failed(message.into(), String::new()))
    }

    pub fn error(name: &str, message: &str) -> Self {
        Self::new(name, Outcome::Error(message.into()))
    }

    fn new(name: &str, outcome: Outcome) -> Self {
        Self {
            name: name.into(),
            outcome,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_failure(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(..) | Outcome::Error(_))
    }

    pub fn add_output(&mut self, line: &str) {
        if let Outcome::Failed(_, output) = &mut self.outcome {
            output.push_str(line);
            output.push('\n');
        }
    }
}

/// Writes the file that `XML_OUTPUT_FILE` names.
pub fn write(
    file: &Path,
    suite: &str,
    cases: &[Case],
    elapsed: Option<Duration>,
) -> anyhow::Result<()> {
    let cannot = || format!("the results {} cannot be written", file.display());
    let text = text(suite, cases, elapsed).with_context(cannot)?;
    fs::write(file, text).with_context(cannot)
}

fn text(suite: &str, cases: &[Case], elapsed: Option<Duration>) -> anyhow::Result<Vec<u8>> {
    let count = |wanted: fn(&Outcome) -> bool| {
        let matching = cases.iter().filter(|case| wanted(&case.outcome));
        matching.count().to_string()
    };
    let suite = clean(suite);
    let [tests, failures, errors, skipped] = [
        cases.len().to_string(),
        count(|outcome| matches!(outcome, Outcome::Failed(..))),
        count(|outcome| matches!(outcome, Outcome::Error(_))),
        count(|outcome| matches!(outcome, Outcome::Skipped(_))),
    ];
    let time = format!("{:.3}", elapsed.unwrap_or_default().as_secs_f64());
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer
        .create_element("testsuites")
        .write_inner_content(|writer| {
            writer
                .create_element("testsuite")
                .with_attributes([
                    ("name", suite.as_str()),
                    ("tests", &tests),
                    ("failures", &failures),
                    ("errors", &errors),
                    ("skipped", &skipped),
                    ("time", &time),
                ])
                .write_inner_content(|writer| {
                    cases
                        .iter()
                        .try_for_each(|case| write_case(writer, &suite, case))
                })?;
            Ok(())
        })?;
    Ok(writer.into_inner())
}

fn write_case(writer: &mut Writer<Vec<u8>>, suite: &str, case: &Case) -> std::io::Result<()> {
    let name = clean(&case.name);
    let element = writer
        .create_element("testcase")
        .with_attributes([("classname", suite), ("name", &name)]);
    let (outcome, message, output) = match &case.outcome {
        Outcome::Passed => return element.write_empty().map(drop),
        Outcome::Skipped(reason) => ("skipped", reason, ""),
        Outcome::Failed(message, output) => ("failure", message, output.as_str()),
        Outcome::Error(message) => ("error", message, ""),
    };
    element.write_inner_content(|writer| {
        writer
            .create_element(outcome)
            .with_attribute(("message", clean(message).as_str()))
            .write_text_content(BytesText::new(&clean(output)))?;
        Ok(())
    })?;
    Ok(())
}

/// Without the control characters that XML has no way to write.
fn clean(text: &str) -> String {
    text.replace(
        |char: char| char.is_control() && !"\n\t".contains(char),
        "\u{fffd}",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome() {
        let mut failed = Case::failed("a<b>", "FAILED");
        failed.add_output("left & right\u{1b}");
        let cases = [
            Case::passed("tests::adds"),
            failed,
            Case::skipped("tests::slow", "takes a \"day\""),
            Case::error("tests", "signal 6"),
        ];
        let text = text("@@//a:b_test", &cases, Some(Duration::from_millis(1500))).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="@@//a:b_test" tests="4" failures="1" errors="1" skipped="1" time="1.500">
    <testcase classname="@@//a:b_test" name="tests::adds"/>
    <testcase classname="@@//a:b_test" name="a&lt;b&gt;">
      <failure message="FAILED">left &amp; right�
</failure>
    </testcase>
    <testcase classname="@@//a:b_test" name="tests::slow">
      <skipped message="takes a &quot;day&quot;"></skipped>
    </testcase>
    <testcase classname="@@//a:b_test" name="tests">
      <error message="signal 6"></error>
    </testcase>
  </testsuite>
</testsuites>"#
        );
    }

    #[test]
    fn a_file_that_cannot_be_written() {
        let error = write(Path::new("/no/such/folder/test.xml"), "a", &[], None).unwrap_err();
        assert_eq!(
            format!("{error:#}"),
            "the results /no/such/folder/test.xml cannot be written: No such file or directory (os error 2)"
        );
    }
}
