//! The test program while it runs: its output, the runtime's messages, and its end.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::environment::{Deadline, RUNTIME_INFO};
use super::libtest::Results;

/// `OMP_INFOTYPE_PLUGIN_KERNEL`, a message for each kernel that is launched. (openmp.llvm.org, LIBOMPTARGET_INFO)
const KERNEL_LAUNCHES: &str = "16";
const LAUNCH: &str = "Launching kernel ";
/// How many messages are kept for a test that fails.
const KEPT: usize = 20;
/// How often the program is asked whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// A process that a driver holds does not end when it is killed.
const KILL_TAKES: Duration = Duration::from_secs(2);

/// How the program ended.
pub struct Ended {
    status: Option<ExitStatus>,
    /// Where it had to be killed.
    killed_after: Option<Killed>,
    pub runtime_messages: RuntimeMessages,
}

struct Killed {
    elapsed: Duration,
    timeout: Duration,
}

/// What the runtime says of itself.
#[derive(Default)]
pub struct RuntimeMessages {
    last: VecDeque<String>,
    total: usize,
    pub launches: usize,
}

/// Runs the program to its end, or to the deadline.
pub fn run(
    mut command: Command,
    deadline: Option<Deadline>,
    results: &mut Results,
) -> io::Result<Ended> {
    let is_set = std::env::var_os(RUNTIME_INFO).is_some();
    if !is_set {
        command.env(RUNTIME_INFO, KERNEL_LAUNCHES);
    }
    let started = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (sender, lines) = mpsc::channel();
    let outputs: [(Stream, Option<Box<dyn Read + Send>>); 2] = [
        (
            Stream::Stdout,
            child.stdout.take().map(|out| Box::new(out) as _),
        ),
        (
            Stream::Stderr,
            child.stderr.take().map(|err| Box::new(err) as _),
        ),
    ];
    for (stream, output) in outputs {
        let sender = sender.clone();
        thread::spawn(move || read(stream, output?, &sender));
    }
    drop(sender);

    let mut messages = RuntimeMessages::default();
    let mut take = |(stream, line): (Stream, Vec<u8>)| match stream {
        Stream::Stderr if !is_set && messages.take(&line) => {}
        Stream::Stderr => hand_on(&mut io::stderr().lock(), &line),
        Stream::Stdout => {
            results.line(String::from_utf8_lossy(&line).trim_end_matches('\n'));
            hand_on(&mut io::stdout().lock(), &line);
        }
    };
    let mut killed_after = None;
    let status = loop {
        while let Ok(line) = lines.try_recv() {
            take(line);
        }
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if let Some(deadline) = deadline.filter(|deadline| Instant::now() >= deadline.at) {
            killed_after = Some(Killed {
                elapsed: started.elapsed(),
                timeout: deadline.timeout,
            });
            break kill(&mut child)?;
        }
        thread::sleep(LOOK_EVERY);
    };
    // What it started itself may keep its output open for longer.
    while let Ok(line) = lines.recv_timeout(KILL_TAKES) {
        take(line);
    }
    Ok(Ended {
        status,
        killed_after,
        runtime_messages: messages,
    })
}

#[derive(Clone, Copy)]
enum Stream {
    Stdout,
    Stderr,
}

fn read(stream: Stream, output: impl Read, lines: &mpsc::Sender<(Stream, Vec<u8>)>) -> Option<()> {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        if output.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        lines.send((stream, line)).ok()?;
    }
}

/// An output that is closed is nobody's loss.
fn hand_on(output: &mut impl Write, line: &[u8]) {
    let _ = output.write_all(line).and_then(|()| output.flush());
}

/// None if it does not end even so.
fn kill(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    child.kill()?;
    let until = Instant::now() + KILL_TAKES;
    while Instant::now() < until {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(None)
}

impl Ended {
    pub fn is_success(&self) -> bool {
        self.failure().is_none()
    }

    /// What is to be said, beside what the program has said itself.
    pub fn failure(&self) -> Option<String> {
        if let Some(Killed { elapsed, timeout }) = &self.killed_after {
            let outcome = match self.status {
                Some(_) => "killed",
                None => "killed, but it does not end: its driver has not let go of it",
            };
            let hint = match self.runtime_messages.last_launch() {
                Some(launch) => format!("The last kernel that was launched may hang: {launch}"),
                None => "No kernel had been launched".into(),
            };
            return Some(format!(
                "{outcome} after {:.0} s, just before the test's timeout of {} s. {hint}",
                elapsed.as_secs_f64(),
                timeout.as_secs()
            ));
        }
        let status = self.status?;
        if status.success() {
            return None;
        }
        Some(match status.signal() {
            Some(signal) => format!("ended by signal {signal}"),
            None => format!("ended with status {}", status.code().unwrap_or_default()),
        })
    }

    /// As a shell would: 128 and the number of the signal.
    pub fn exit_code(&self) -> ExitCode {
        let code = self.status.and_then(|status| {
            let signal = status.signal().map(|signal| 128 + signal);
            status.code().or(signal)
        });
        match (self.is_success(), code) {
            (true, _) => ExitCode::SUCCESS,
            (false, Some(code @ 1..=255)) => ExitCode::from(code as u8),
            (false, _) => ExitCode::FAILURE,
        }
    }
}

impl RuntimeMessages {
    /// Takes a line if it is the runtime's.
    fn take(&mut self, line: &[u8]) -> bool {
        let line = String::from_utf8_lossy(line);
        if !is_runtime_message(&line) {
            return false;
        }
        self.total += 1;
        self.launches += usize::from(line.contains(LAUNCH));
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back(line.trim_end().into());
        true
    }

    fn last_launch(&self) -> Option<&str> {
        let (_, launch) = self
            .last
            .iter()
            .rev()
            .find_map(|message| message.split_once(LAUNCH))?;
        Some(launch)
    }
}

/// `"PluginInterface" device 0 info: Launching kernel …`
fn is_runtime_message(line: &str) -> bool {
    line.split_once(" device ")
        .and_then(|(_, rest)| rest.split_once(" info: "))
        .is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

impl fmt::Display for RuntimeMessages {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.total == 0 {
            return write!(f, "the offload runtime launched no kernel");
        }
        write!(
            f,
            "the last {} of {} messages of the offload runtime:",
            self.last.len(),
            self.total
        )?;
        self.last
            .iter()
            .try_for_each(|message| write!(f, "\n  {message}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = r#""PluginInterface" device 0 info: Launching kernel _RNvC1a1f with [1,1,1] blocks and [1,1,1] threads in BARE mode"#;

    fn run_script(body: &str, deadline: Option<Deadline>) -> (Ended, Results) {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", body]);
        let mut results = Results::default();
        let ended = run(shell, deadline, &mut results).unwrap();
        (ended, results)
    }

    #[test]
    fn a_good_end() {
        let (ended, results) = run_script("echo 'test a ... ok'", None);
        assert!(ended.is_success());
        assert_eq!(ended.failure(), None);
        assert_eq!(results.cases().len(), 1);
        assert_eq!(ended.runtime_messages.launches, 0);
    }

    #[test]
    fn bad_ends() {
        let failure = |body| run_script(body, None).0.failure();
        assert_eq!(failure("exit 101"), Some("ended with status 101".into()));
        assert_eq!(failure("kill -ABRT $$"), Some("ended by signal 6".into()));
    }

    #[test]
    fn the_runtimes_messages_are_kept() {
        let (ended, _) = run_script(
            &format!("for i in $(seq 30); do echo '{INFO}' >&2; done; exit 1"),
            None,
        );
        let messages = &ended.runtime_messages;
        assert_eq!((messages.launches, messages.total), (30, 30));
        let text = messages.to_string();
        assert!(text.starts_with("the last 20 of 30 messages of the offload runtime:\n  \"PluginInterface\" device 0 info: "));
        assert_eq!(text.lines().count(), 21);
        assert_eq!(
            RuntimeMessages::default().to_string(),
            "the offload runtime launched no kernel"
        );
    }

    #[test]
    fn what_hangs_is_killed() {
        let soon = Some(Deadline {
            at: Instant::now() + Duration::from_millis(300),
            timeout: Duration::from_secs(60),
        });
        let (ended, _) = run_script(&format!("echo '{INFO}' >&2; exec sleep 1000"), soon);
        assert_eq!(
            ended.failure().unwrap(),
            "killed after 0 s, just before the test's timeout of 60 s. The last kernel that was launched may hang: \
             _RNvC1a1f with [1,1,1] blocks and [1,1,1] threads in BARE mode"
        );
        let (ended, _) = run_script("exec sleep 1000", soon);
        assert!(
            ended
                .failure()
                .unwrap()
                .ends_with("No kernel had been launched")
        );
    }

    #[test]
    fn whose_message_it_is() {
        assert!(is_runtime_message(INFO));
        assert!(is_runtime_message(
            "omptarget device 12 info: Entering OpenMP kernel"
        ));
        for line in [
            "",
            "device 0 info: x",
            "a device x info: y",
            "thread panicked at a.rs",
        ] {
            assert!(!is_runtime_message(line), "{line}");
        }
    }
}
