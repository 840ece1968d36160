//! The report as people read it.

use super::kernels::Kernel;

const HEADINGS: [&str; 10] = [
    "kernel",
    "arch",
    "registers",
    "scalar",
    "spills",
    "stack",
    "lds",
    "max threads",
    "code",
    "occupancy",
];
const UNKNOWN: &str = "-";

/// A line for each kernel and arch, below a line of headings.
pub fn format(kernels: &[Kernel]) -> String {
    let rows: Vec<[String; 10]> = [HEADINGS.map(String::from)]
        .into_iter()
        .chain(kernels.iter().map(row))
        .collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or_default()
    };
    let widths: [usize; 10] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Names to the left, numbers to the right.
            line.push_str(&match column {
                0 | 1 => format!("{cell:width$}  "),
                _ => format!("{cell:>width$}  "),
            });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn row(kernel: &Kernel) -> [String; 10] {
    let number =
        |value: Option<u64>| value.map_or_else(|| UNKNOWN.into(), |value| value.to_string());
    [
        kernel.kernel.clone(),
        kernel.arch.clone(),
        number(kernel.registers),
        number(kernel.sgprs),
        number(kernel.spills),
        number(kernel.stack_bytes),
        number(kernel.lds_bytes),
        number(kernel.max_threads),
        number(kernel.code_bytes),
        kernel.occupancy.map_or_else(
            || UNKNOWN.into(),
            |it| format!("{}/{} ({} %)", it.waves, it.max_waves, it.percent),
        ),
    ]
}
