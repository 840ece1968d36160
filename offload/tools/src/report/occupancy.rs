//! How many waves or warps the registers of a kernel leave room for.
//!
//! A bound: LDS, the size of blocks and the size of the grid may leave fewer.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// AMD: wavefronts of a SIMD. NVIDIA: warps of a multiprocessor.
    pub waves: u64,
    /// As many as the processor holds.
    pub max_waves: u64,
    /// Rounded down.
    pub percent: u64,
}

impl Occupancy {
    fn new(waves: u64, max_waves: u64) -> Self {
        Self {
            waves,
            max_waves,
            percent: 100 * waves / max_waves,
        }
    }
}

/// The vector registers of a SIMD of an AMD GPU, counted for one thread of a wave.
struct Simd {
    registers: u64,
    /// A wave gets a multiple of it.
    granule: u64,
    max_waves: u64,
    /// Do scalar registers bound the waves, too?
    scalar_bound: bool,
}

/// (llvm/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp: `getTotalNumVGPRs`, `getVGPRAllocGranule`, `getMaxWavesPerEU`)
fn simd(arch: &str, wave_size: u64) -> Option<Simd> {
    // Without features such as `:xnack-`.
    let processor = arch.split(':').next()?;
    let (registers, granule, max_waves, scalar_bound) = match processor {
        "gfx90a" | "gfx940" | "gfx941" | "gfx942" | "gfx950" | "gfx9-4-generic" => {
            (512, 8, 8, true)
        }
        "gfx900" | "gfx902" | "gfx904" | "gfx906" | "gfx908" | "gfx909" | "gfx90c"
        | "gfx9-generic" => (256, 4, 10, true),
        "gfx1010" | "gfx1011" | "gfx1012" | "gfx1013" | "gfx10-1-generic" => (512, 4, 20, false),
        "gfx1030" | "gfx1031" | "gfx1032" | "gfx1033" | "gfx1034" | "gfx1035" | "gfx1036"
        | "gfx10-3-generic" | "gfx1102" | "gfx1103" | "gfx1150" | "gfx1152" | "gfx1153"
        | "gfx11-generic" => (512, 8, 16, false),
        "gfx1100" | "gfx1101" | "gfx1151" | "gfx1200" | "gfx1201" | "gfx12-generic" => {
            (768, 12, 16, false)
        }
        _ => return None,
    };
    // Half as many threads have twice as many registers.
    let factor = match wave_size {
        64 => 1,
        32 if !scalar_bound => 2,
        _ => return None,
    };
    Some(Simd {
        registers: registers * factor,
        granule: granule * factor,
        max_waves,
        scalar_bound,
    })
}

/// Waves of a SIMD of an AMD GPU; `None` for an arch that is not known here.
///
/// (llvm/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp, `getNumWavesPerEUWithNumVGPRs`, and
/// llvm/lib/Target/AMDGPU/GCNSubtarget.cpp, `getOccupancyWithNumSGPRs`)
pub fn amd(arch: &str, vgprs: u64, sgprs: u64, wave_size: u64) -> Option<Occupancy> {
    let simd = simd(arch, wave_size)?;
    let rounded = vgprs.max(1).checked_next_multiple_of(simd.granule)?;
    let by_vector = (simd.registers / rounded).clamp(1, simd.max_waves);
    let by_scalar = match sgprs {
        _ if !simd.scalar_bound => simd.max_waves,
        0..=80 => 10,
        81..=88 => 9,
        89..=100 => 8,
        _ => 7,
    };
    Some(Occupancy::new(by_vector.min(by_scalar), simd.max_waves))
}

/// Warps of an SM of an NVIDIA GPU; `None` for an arch that is not known here.
///
/// Four partitions have a quarter of the registers each, and a warp gets a multiple of 256 of them.
/// (cuda_occupancy.h, `cudaOccMaxBlocksPerSMRegsLimit` and the functions that it calls; for 64 K registers and the
/// number of warps: CUDA Programming Guide, "Compute Capabilities", technical specifications)
pub fn nvidia(arch: &str, registers: u64) -> Option<Occupancy> {
    const REGISTERS_OF_PARTITION: u64 = 64 * 1024 / 4;
    let number = arch.strip_prefix("sm_")?.trim_end_matches(['a', 'f']);
    let max_waves = match number {
        "75" => 32,
        "70" | "72" | "80" | "90" | "100" | "103" => 64,
        "86" | "87" | "89" | "110" | "120" | "121" => 48,
        _ => return None,
    };
    let warp = registers
        .max(1)
        .checked_mul(32)?
        .checked_next_multiple_of(256)?;
    let waves = REGISTERS_OF_PARTITION / warp * 4;
    Some(Occupancy::new(waves.min(max_waves), max_waves))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What llc of LLVM 22.1.8 writes as "Occupancy" for kernels with so many vector registers.
    #[test]
    fn as_llvm_computes_it() {
        let counts = [20, 40, 60, 90, 120, 200];
        for (arch, wave_size, waves) in [
            ("gfx900", 64, [10, 6, 4, 2, 2, 1]),
            ("gfx908", 64, [10, 6, 4, 2, 2, 1]),
            ("gfx90a:sramecc+:xnack-", 64, [8, 8, 8, 5, 4, 2]),
            ("gfx942", 64, [8, 8, 8, 5, 4, 2]),
            ("gfx1010", 32, [20, 20, 16, 10, 8, 5]),
            ("gfx1010", 64, [20, 12, 8, 5, 4, 2]),
            ("gfx1030", 32, [16, 16, 16, 10, 8, 4]),
            ("gfx1030", 64, [16, 12, 8, 5, 4, 2]),
            ("gfx1100", 32, [16, 16, 16, 16, 12, 7]),
            ("gfx1201", 64, [16, 16, 12, 8, 6, 3]),
            ("gfx11-generic", 32, [16, 16, 16, 10, 8, 4]),
        ] {
            let found = counts.map(|vgprs| amd(arch, vgprs, 16, wave_size).unwrap().waves);
            assert_eq!(found, waves, "{arch} with waves of {wave_size}");
        }
        assert_eq!(amd("gfx900", 4, 82, 64).unwrap().waves, 9);
        assert_eq!(amd("gfx90a", 4, 102, 64).unwrap().waves, 7);
        assert_eq!(amd("gfx1100", 4, 106, 32).unwrap().waves, 16);
    }

    #[test]
    fn warps_of_an_sm() {
        for (arch, registers, waves, max_waves) in [
            ("sm_80", 31, 64, 64),
            ("sm_80", 33, 48, 64),
            ("sm_90a", 40, 48, 64),
            ("sm_90", 168, 12, 64),
            ("sm_90", 255, 8, 64),
            ("sm_75", 64, 32, 32),
            ("sm_89", 42, 40, 48),
            ("sm_120", 8, 48, 48),
        ] {
            let expected = Occupancy::new(waves, max_waves);
            assert_eq!(nvidia(arch, registers), Some(expected), "{arch}");
        }
    }

    #[test]
    fn what_is_not_known() {
        assert_eq!(amd("gfx1300", 8, 8, 32), None);
        assert_eq!(amd("gfx90a", 8, 8, 32), None);
        assert_eq!(amd("gfx90a", u64::MAX, 8, 64), None);
        assert_eq!(nvidia("sm_130", 8), None);
        assert_eq!(nvidia("gfx90a", 8), None);
        assert_eq!(nvidia("sm_90", u64::MAX), None);
    }

    #[test]
    fn percentages() {
        let percent = |waves, max_waves| Occupancy::new(waves, max_waves).percent;
        assert_eq!(
            [percent(8, 8), percent(7, 8), percent(16, 48)],
            [100, 87, 33]
        );
    }
}
