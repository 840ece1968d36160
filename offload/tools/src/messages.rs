//! What is said beside the results.

use std::io::Write;

/// A line on stderr. Not `eprintln!`, which panics where stderr is closed.
pub fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "offload: {message}");
}
