//! `diff`: which kernels changed between two builds.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use crate::report::kernels::{self, Kernel};
use crate::report::print;

/// Shows which kernels changed between two builds, in code and in what they take of the GPU.
#[derive(clap::Args)]
pub struct Options {
    /// The build before: a program, an AMD code object or an NVIDIA cubin.
    before: PathBuf,
    /// The build after.
    after: PathBuf,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Ends with status 1 if there is a difference.
    #[arg(long)]
    exit_code: bool,
}

/// The JSON.
#[derive(Serialize)]
struct Diff {
    schema: u32,
    kernels: Vec<Change>,
}

const SCHEMA: u32 = 1;

/// One kernel in the images of one arch.
#[derive(Debug, PartialEq, Serialize)]
struct Change {
    kernel: String,
    symbol: String,
    arch: String,
    kind: Kind,
    /// The fields of the report that differ, in the order of their names there.
    fields: Vec<FieldChange>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Added,
    Removed,
    /// The machine code differs.
    Changed,
    /// The machine code is the same, byte by byte.
    SameCode,
}

#[derive(Debug, PartialEq, Serialize)]
struct FieldChange {
    field: &'static str,
    before: Option<u64>,
    after: Option<u64>,
}

pub fn run(options: Options) -> anyhow::Result<ExitCode> {
    let changes = compare(read(&options.before)?, read(&options.after)?);
    let differ = changes.iter().any(|change| change.kind != Kind::SameCode);
    print(&if options.json {
        let diff = Diff {
            schema: SCHEMA,
            kernels: changes,
        };
        serde_json::to_string_pretty(&diff)? + "\n"
    } else {
        format(&changes)
    })?;
    Ok(ExitCode::from(u8::from(options.exit_code && differ)))
}

/// By name, symbol and arch.
type Kernels = BTreeMap<(String, String, String), Kernel>;

fn read(file: &Path) -> anyhow::Result<Kernels> {
    Ok(by_name(kernels::read(file)?))
}

fn by_name(kernels: Vec<Kernel>) -> Kernels {
    let named = kernels.into_iter().map(|kernel| {
        let name = (
            kernel.kernel.clone(),
            kernel.symbol.clone(),
            kernel.arch.clone(),
        );
        (name, kernel)
    });
    named.collect()
}

fn compare(before: Kernels, mut after: Kernels) -> Vec<Change> {
    let mut changes = Vec::new();
    let none = Kernel::default();
    for (name, old) in before {
        let new = after.remove(&name);
        let kind = match &new {
            None => Kind::Removed,
            Some(new) if new.code == old.code => Kind::SameCode,
            Some(_) => Kind::Changed,
        };
        changes.push(change(name, kind, &old, new.as_ref().unwrap_or(&none)));
    }
    for (name, new) in after {
        changes.push(change(name, Kind::Added, &none, &new));
    }
    changes.sort_by(|a, b| (&a.kernel, &a.symbol, &a.arch).cmp(&(&b.kernel, &b.symbol, &b.arch)));
    changes
}

fn change(
    (kernel, symbol, arch): (String, String, String),
    kind: Kind,
    old: &Kernel,
    new: &Kernel,
) -> Change {
    let fields = old.fields().into_iter().zip(new.fields());
    let fields = fields
        .filter(|((_, before), (_, after))| before != after)
        .map(|((field, before), (_, after))| FieldChange {
            field,
            before,
            after,
        })
        .collect();
    Change {
        kernel,
        symbol,
        arch,
        kind,
        fields,
    }
}

fn format(changes: &[Change]) -> String {
    let mut text = String::new();
    let number = |value: Option<u64>| value.map_or_else(|| "-".into(), |value| value.to_string());
    for change in changes {
        let kind = match change.kind {
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Changed => "changed",
            Kind::SameCode => "same code",
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{kind:9}  {} for {}", change.kernel, change.arch);
        for FieldChange {
            field,
            before,
            after,
        } in &change.fields
        {
            let _ = writeln!(
                text,
                "           {field}: {} -> {}",
                number(*before),
                number(*after)
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(name: &str, arch: &str, registers: u64, code: &[u8]) -> Kernel {
        Kernel {
            kernel: format!("a::{name}"),
            symbol: format!("_{name}"),
            arch: arch.into(),
            registers: Some(registers),
            code_bytes: Some(code.len() as u64),
            code: code.into(),
            ..Kernel::default()
        }
    }

    fn changes() -> Vec<Change> {
        let before = by_name(vec![
            kernel("gone", "sm_90", 8, b"1"),
            kernel("longer", "gfx90a", 8, b"1"),
            kernel("longer", "sm_90", 8, b"1"),
            kernel("same", "sm_90", 8, b"1"),
        ]);
        let after = by_name(vec![
            kernel("new", "sm_90", 9, b"1"),
            kernel("longer", "gfx90a", 8, b"2"),
            kernel("longer", "sm_90", 10, b"12"),
            kernel("same", "sm_90", 8, b"1"),
        ]);
        compare(before, after)
    }

    #[test]
    fn all_kinds() {
        assert_eq!(
            format(&changes()),
            "removed    a::gone for sm_90\n           registers: 8 -> -\n           code_bytes: 1 -> -\n\
             changed    a::longer for gfx90a\n\
             changed    a::longer for sm_90\n           registers: 8 -> 10\n           code_bytes: 1 -> 2\n\
             added      a::new for sm_90\n           registers: - -> 9\n           code_bytes: - -> 1\n\
             same code  a::same for sm_90\n"
        );
    }

    #[test]
    fn as_json() {
        let first = serde_json::to_value(&changes()[0]).unwrap();
        assert_eq!(
            first,
            serde_json::json!({
                "kernel": "a::gone",
                "symbol": "_gone",
                "arch": "sm_90",
                "kind": "removed",
                "fields": [
                    {"field": "registers", "before": 8, "after": null},
                    {"field": "code_bytes", "before": 1, "after": null},
                ],
            })
        );
    }
}
