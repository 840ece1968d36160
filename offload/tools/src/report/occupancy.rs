//! How many wavefronts or warps fit on a processor, as far as their registers limit it.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Occupancy {
    /// AMD: wavefronts of a SIMD. NVIDIA: warps of a multiprocessor.
    pub waves: u64,
    /// As many as the processor holds.
    pub max_waves: u64,
    pub percent: u64,
}

/// What registers a processor has, and in what portions they are given to a wavefront.
struct Limits {
    max_waves: u64,
    /// AMD: of a lane, in a SIMD. NVIDIA: of a multiprocessor.
    registers: u64,
    granule: u64,
    /// Which share the registers: NVIDIA counts those of all threads of a warp.
    threads: u64,
    /// Warps are given registers by fours.
    waves_at_once: u64,
}

/// None where the limits of the arch are not known.
pub fn by_registers(arch: &str, registers: u64) -> Option<Occupancy> {
    let limits = limits(arch)?;
    let of_wave = registers
        .max(1)
        .checked_mul(limits.threads)?
        .checked_next_multiple_of(limits.granule)?;
    let waves = limits.registers / of_wave / limits.waves_at_once * limits.waves_at_once;
    let waves = waves.min(limits.max_waves);
    Some(Occupancy {
        waves,
        max_waves: limits.max_waves,
        percent: 100 * waves / limits.max_waves,
    })
}

fn limits(arch: &str) -> Option<Limits> {
    match arch.strip_prefix("sm_") {
        Some(number) => nvidia(number.trim_end_matches(|char: char| char.is_ascii_lowercase())),
        None => amd(arch.split(':').next()?.strip_prefix("gfx")?),
    }
}

/// 65,536 registers of a multiprocessor, given to warps in portions of 256; the warps that it holds depend on the compute
/// capability. (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; cuda_occupancy.h)
fn nvidia(number: &str) -> Option<Limits> {
    let max_waves = match number {
        "70" | "72" | "80" | "90" | "100" | "101" | "103" => 64,
        "75" => 32,
        "86" | "87" | "88" | "89" | "110" | "120" | "121" => 48,
        _ => return None,
    };
    Some(Limits {
        max_waves,
        registers: 65536,
        granule: 256,
        threads: 32,
        waves_at_once: 4,
    })
}

/// For wavefronts of the size that rustc compiles for: 64 lanes before gfx10, 32 from there on.
/// (`getTotalNumVGPRs`, `getVGPRAllocGranule`, `getMaxWavesPerEU` of llvm/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp)
fn amd(number: &str) -> Option<Limits> {
    let (max_waves, registers, granule) = match number {
        "90a" | "940" | "941" | "942" | "950" => (8, 512, 8),
        "900" | "902" | "904" | "906" | "908" | "909" | "90c" => (10, 256, 4),
        "1100" | "1101" | "1151" => (16, 1536, 24),
        _ if number.len() == 4 && number.starts_with("101") => (20, 1024, 8),
        _ if number.len() == 4 && ["103", "110", "115", "120"].contains(&&number[..3]) => {
            (16, 1024, 16)
        }
        _ => return None,
    };
    Some(Limits {
        max_waves,
        registers,
        granule,
        threads: 1,
        waves_at_once: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_by_registers() {
        for (arch, registers, waves, max_waves, percent) in [
            ("sm_90", 10, 64, 64, 100),
            ("sm_90", 32, 64, 64, 100),
            ("sm_90", 33, 48, 64, 75),
            ("sm_90a", 255, 8, 64, 12),
            ("sm_86", 40, 48, 48, 100),
            ("gfx90a", 5, 8, 8, 100),
            ("gfx90a", 65, 7, 8, 87),
            ("gfx942:xnack-", 512, 1, 8, 12),
            ("gfx906", 128, 2, 10, 20),
            ("gfx1030", 128, 8, 16, 50),
            ("gfx1100", 97, 12, 16, 75),
            ("gfx1010", 0, 20, 20, 100),
        ] {
            assert_eq!(
                by_registers(arch, registers),
                Some(Occupancy {
                    waves,
                    max_waves,
                    percent
                }),
                "{arch} with {registers} registers"
            );
        }
    }

    #[test]
    fn what_is_not_known() {
        for arch in [
            "sm_999",
            "gfx1300",
            "gfx9-generic",
            "gfx11é0",
            "unknown",
            "sm_",
            "",
        ] {
            assert_eq!(by_registers(arch, 32), None, "{arch}");
        }
        assert_eq!(by_registers("sm_90", u64::MAX), None);
    }
}
