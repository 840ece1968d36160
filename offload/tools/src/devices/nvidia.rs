//! NVIDIA's GPUs, through the driver's management library (NVML).

use std::path::Path;

use nvml_wrapper::Nvml;
use nvml_wrapper::error::NvmlError;

use super::{Device, Found, Vendor};

/// There while the driver is loaded.
const DRIVER: &str = "proc/driver/nvidia/version";

pub fn find(root: &Path) -> Found {
    let nvml = match Nvml::init() {
        Ok(nvml) => nvml,
        Err(error) => return without_library(root, &error),
    };
    let devices = list(&nvml);
    let problem = |error| format!("NVIDIA's driver library (NVML) does not list the GPUs: {error}");
    devices.unwrap_or_else(|error| Found {
        problems: vec![problem(error)],
        ..Found::default()
    })
}

/// No driver means no GPU. A driver without the library is worth a word.
fn without_library(root: &Path, error: &NvmlError) -> Found {
    let mut found = Found::default();
    if root.join(DRIVER).exists() {
        found.problems.push(format!(
            "NVIDIA's driver is loaded, but its library libnvidia-ml.so.1 cannot be used: {error}. \
             In a container, hand over the library (NVIDIA_DRIVER_CAPABILITIES=compute,utility)"
        ));
    }
    found
}

fn list(nvml: &Nvml) -> Result<Found, NvmlError> {
    let driver = nvml.sys_driver_version()?;
    let mut found = Found::default();
    for index in 0..nvml.device_count()? {
        match device(nvml, index, &driver) {
            Ok(device) => found.devices.push(device),
            Err(error) => found
                .problems
                .push(format!("the NVIDIA GPU {index} cannot be used: {error}")),
        }
    }
    Ok(found)
}

fn device(nvml: &Nvml, index: u32, driver: &str) -> Result<Device, NvmlError> {
    let device = nvml.device_by_index(index)?;
    let capability = device.cuda_compute_capability()?;
    Ok(Device {
        vendor: Vendor::Nvidia,
        index: index as usize,
        id: device.uuid()?,
        name: device.name()?,
        arch: format!("sm_{}{}", capability.major, capability.minor),
        driver: driver.into(),
        // Not of GPUs that share the machine's memory.
        memory_bytes: device.memory_info().ok().map(|memory| memory.total),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    #[test]
    fn a_driver_without_its_library() {
        let dir = TestDir::new();
        let root = dir.path("");
        let error = NvmlError::DriverNotLoaded;
        assert_eq!(without_library(Path::new(&root), &error), Found::default());
        std::fs::create_dir_all(dir.path("proc/driver/nvidia")).unwrap();
        dir.write(DRIVER, "");
        let found = without_library(Path::new(&root), &error);
        assert!(found.devices.is_empty());
        assert_eq!(
            found.problems,
            [format!(
                "NVIDIA's driver is loaded, but its library libnvidia-ml.so.1 cannot be used: {error}. \
                 In a container, hand over the library (NVIDIA_DRIVER_CAPABILITIES=compute,utility)"
            )]
        );
    }
}
