//! On which GPU does machine code for an arch run?

use super::{Device, Vendor};

/// The processors of AMD's generic targets. (llvm/docs/AMDGPUUsage.rst, "AMDGPU Generic Processors")
const GENERIC: [(&str, &[&str]); 6] = [
    (
        "gfx9-generic",
        &["gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"],
    ),
    ("gfx9-4-generic", &["gfx940", "gfx941", "gfx942", "gfx950"]),
    (
        "gfx10-1-generic",
        &["gfx1010", "gfx1011", "gfx1012", "gfx1013"],
    ),
    (
        "gfx10-3-generic",
        &[
            "gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036",
        ],
    ),
    (
        "gfx11-generic",
        &[
            "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153",
        ],
    ),
    ("gfx12-generic", &["gfx1200", "gfx1201"]),
];

/// Whether an image for the arch loads on the device.
///
/// A cubin runs on GPUs of its major version and of at least its minor one. (CUDA C++ Programming Guide, "Binary
/// Compatibility") What has the suffix `a` runs on exactly its GPU, what has `f` on its family. A code object runs on exactly
/// its processor; the settings after it (`:xnack-`) are for the driver to check.
pub fn runs_on(arch: &str, device: &Device) -> bool {
    match device.vendor {
        Vendor::Amd => {
            let processor = arch.split(':').next().unwrap_or(arch);
            processor == device.arch
                || GENERIC.iter().any(|(generic, processors)| {
                    *generic == processor && processors.contains(&device.arch.as_str())
                })
        }
        Vendor::Nvidia => {
            let (Some(wanted), Some(there)) =
                (Capability::parse(arch), Capability::parse(&device.arch))
            else {
                return false;
            };
            wanted.major == there.major
                && if wanted.is_exact {
                    wanted.minor == there.minor
                } else {
                    wanted.minor <= there.minor
                }
        }
    }
}

/// A compute capability: `sm_90` is 9.0, `sm_120` is 12.0.
struct Capability {
    major: u32,
    minor: u32,
    is_exact: bool,
}

impl Capability {
    fn parse(arch: &str) -> Option<Self> {
        let number = arch.strip_prefix("sm_")?;
        let digits = number.trim_end_matches(|char: char| char.is_ascii_lowercase());
        let number_alone: u32 = digits.parse().ok()?;
        Some(Self {
            major: number_alone / 10,
            minor: number_alone % 10,
            is_exact: number.ends_with('a'),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(arch: &str, on: &str) -> bool {
        let vendor = if on.starts_with("sm_") {
            Vendor::Nvidia
        } else {
            Vendor::Amd
        };
        runs_on(
            arch,
            &Device {
                vendor,
                index: 0,
                id: "0".into(),
                name: on.into(),
                arch: on.into(),
                driver: "1".into(),
                memory_bytes: None,
            },
        )
    }

    #[test]
    fn nvidia() {
        for (arch, on) in [
            ("sm_80", "sm_80"),
            ("sm_80", "sm_86"),
            ("sm_90", "sm_90"),
            ("sm_90a", "sm_90"),
            ("sm_100f", "sm_103"),
            ("sm_120", "sm_121"),
        ] {
            assert!(runs(arch, on), "{arch} on {on}");
        }
        for (arch, on) in [
            ("sm_80", "sm_90"),
            ("sm_86", "sm_80"),
            ("sm_100a", "sm_103"),
            ("sm_12", "sm_120"),
            ("gfx90a", "sm_90"),
            ("sm_", "sm_90"),
            ("sm_99999999999", "sm_90"),
        ] {
            assert!(!runs(arch, on), "{arch} on {on}");
        }
    }

    #[test]
    fn amd() {
        for (arch, on) in [
            ("gfx90a", "gfx90a"),
            ("gfx90a:sramecc+:xnack-", "gfx90a"),
            ("gfx11-generic", "gfx1103"),
            ("gfx9-generic", "gfx906"),
        ] {
            assert!(runs(arch, on), "{arch} on {on}");
        }
        for (arch, on) in [
            ("gfx90a", "gfx908"),
            ("gfx9-generic", "gfx90a"),
            ("gfx11-generic", "gfx1030"),
            ("sm_90", "gfx90a"),
        ] {
            assert!(!runs(arch, on), "{arch} on {on}");
        }
    }
}
