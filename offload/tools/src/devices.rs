//! The GPUs of this machine.

mod amd;
mod archs;
mod nvidia;

use std::fmt;
use std::path::Path;

use serde::Serialize;

pub use archs::runs_on as arch_runs_on;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Vendor {
    Amd,
    Nvidia,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Device {
    pub vendor: Vendor,
    /// Among those of its vendor, in the order of their places on the bus.
    pub index: usize,
    /// What `CUDA_VISIBLE_DEVICES` or `ROCR_VISIBLE_DEVICES` know it by, whatever the order: `GPU-…`, else the index.
    pub id: String,
    pub name: String,
    /// As rustc's `-Ctarget-cpu`.
    pub arch: String,
    /// The version of its driver.
    pub driver: String,
    pub memory_bytes: Option<u64>,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({}, {})", self.name, self.arch, self.id)
    }
}

#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Found {
    pub devices: Vec<Device>,
    /// Why there may be more that do not show.
    pub problems: Vec<String>,
}

/// All GPUs. `root` is `/`, and another folder in tests.
pub fn find(root: &Path) -> Found {
    let mut found = amd::find(root);
    let nvidia = nvidia::find(root);
    found.devices.extend(nvidia.devices);
    found.problems.extend(nvidia.problems);
    found
}
