//! AMD's GPUs, as the kernel's compute driver (KFD) lists them.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::path::Path;

use super::{Device, Found, Vendor};

/// A folder for each node: CPUs and GPUs. (drivers/gpu/drm/amd/amdkfd/kfd_topology.c)
const NODES: &str = "sys/class/kfd/kfd/topology/nodes";
const KFD: &str = "dev/kfd";
/// Of a driver that is not the kernel's own.
const DRIVER_VERSION: &str = "sys/module/amdgpu/version";
const KERNEL_RELEASE: &str = "proc/sys/kernel/osrelease";

pub fn find(root: &Path) -> Found {
    let mut found = Found::default();
    let Ok(nodes) = fs::read_dir(root.join(NODES)) else {
        return found;
    };
    let mut numbers: Vec<usize> = nodes
        .filter_map(|node| node.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    numbers.sort_unstable();
    let driver = line(&root.join(DRIVER_VERSION))
        .or_else(|| line(&root.join(KERNEL_RELEASE)))
        .unwrap_or_else(|| "unknown".into());
    for number in numbers {
        let folder = root.join(NODES).join(number.to_string());
        let index = found.devices.len();
        match device(&folder, index, &driver) {
            Ok(device) => found.devices.extend(device),
            Err(error) => found.problems.push(format!(
                "the AMD GPU of node {number} cannot be used: {error}"
            )),
        }
    }
    if !found.devices.is_empty()
        && let Err(error) = OpenOptions::new()
            .read(true)
            .write(true)
            .open(root.join(KFD))
    {
        found.problems.push(format!(
            "/{KFD} cannot be opened: {error}. AMD's runtime needs it: add the user to its group (render)"
        ));
    }
    found
}

/// None for a CPU.
fn device(folder: &Path, index: usize, driver: &str) -> Result<Option<Device>, String> {
    let properties = fs::read_to_string(folder.join("properties"))
        .map_err(|error| format!("its properties cannot be read: {error}"))?;
    let properties = parse(&properties);
    let number = |name: &str| properties.get(name).copied().unwrap_or_default();
    if number("simd_count") == 0 {
        return Ok(None);
    }
    let arch = arch(number("gfx_target_version"))
        .ok_or("its properties have no gfx_target_version, which drivers have since Linux 5.11")?;
    let unique_id = number("unique_id");
    Ok(Some(Device {
        vendor: Vendor::Amd,
        index,
        id: if unique_id == 0 {
            index.to_string()
        } else {
            format!("GPU-{unique_id:016x}")
        },
        name: line(&folder.join("name")).unwrap_or_else(|| "AMD GPU".into()),
        arch,
        driver: driver.into(),
        memory_bytes: memory(folder),
    }))
}

/// Lines of a name and a number.
fn parse(properties: &str) -> BTreeMap<&str, u64> {
    properties
        .lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(' ')?;
            Some((name, value.trim().parse().ok()?))
        })
        .collect()
}

/// 90010 is gfx90a: major, minor and stepping with two decimal digits each, of which the last is hexadecimal in the name.
fn arch(version: u64) -> Option<String> {
    let (major, minor, stepping) = (version / 10000, version / 100 % 100, version % 100);
    (major > 0).then(|| format!("gfx{major}{minor:x}{stepping:x}"))
}

/// The sum of its own memory banks. (`HSA_MEM_HEAP_TYPE_FB_*`, heap types 1 and 2)
fn memory(folder: &Path) -> Option<u64> {
    let banks = fs::read_dir(folder.join("mem_banks")).ok()?;
    let sizes: Vec<u64> = banks
        .filter_map(|bank| {
            let properties = fs::read_to_string(bank.ok()?.path().join("properties")).ok()?;
            let properties = parse(&properties);
            let is_own = matches!(properties.get("heap_type"), Some(1 | 2));
            properties.get("size_in_bytes").copied().filter(|_| is_own)
        })
        .collect();
    (!sizes.is_empty()).then(|| sizes.iter().copied().fold(0, u64::saturating_add))
}

fn line(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.trim();
    (!line.is_empty()).then(|| line.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    fn write(dir: &TestDir, file: &str, content: &str) {
        let path = dir.path(file);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn machine() -> TestDir {
        let dir = TestDir::new();
        let node = |number: usize, file: &str, content: &str| {
            write(&dir, &format!("{NODES}/{number}/{file}"), content);
        };
        node(
            0,
            "properties",
            "cpu_cores_count 64\nsimd_count 0\ngfx_target_version 0\n",
        );
        node(
            2,
            "properties",
            "simd_count 416\nunique_id 81985529216486895\ngfx_target_version 90010\n",
        );
        node(2, "name", "aldebaran\n");
        node(
            2,
            "mem_banks/0/properties",
            "heap_type 1\nsize_in_bytes 68702699520\n",
        );
        node(
            2,
            "mem_banks/1/properties",
            "heap_type 0\nsize_in_bytes 5\n",
        );
        node(
            10,
            "properties",
            "simd_count 192\nunique_id 0\ngfx_target_version 110000\n",
        );
        write(&dir, KERNEL_RELEASE, "6.8.0\n");
        write(&dir, KFD, "");
        dir
    }

    #[test]
    fn gpus_in_the_order_of_their_nodes() {
        let dir = machine();
        let found = find(Path::new(&dir.path("")));
        assert_eq!(
            found,
            Found {
                devices: vec![
                    Device {
                        vendor: Vendor::Amd,
                        index: 0,
                        id: "GPU-0123456789abcdef".into(),
                        name: "aldebaran".into(),
                        arch: "gfx90a".into(),
                        driver: "6.8.0".into(),
                        memory_bytes: Some(68702699520),
                    },
                    Device {
                        vendor: Vendor::Amd,
                        index: 1,
                        id: "1".into(),
                        name: "AMD GPU".into(),
                        arch: "gfx1100".into(),
                        driver: "6.8.0".into(),
                        memory_bytes: None,
                    },
                ],
                problems: Vec::new(),
            }
        );
        write(&dir, DRIVER_VERSION, "6.12.12\n");
        assert_eq!(find(Path::new(&dir.path(""))).devices[0].driver, "6.12.12");
    }

    #[test]
    fn no_compute_driver() {
        let dir = TestDir::new();
        assert_eq!(find(Path::new(&dir.path(""))), Found::default());
    }

    #[test]
    fn what_keeps_a_gpu_from_being_used() {
        let dir = machine();
        fs::remove_file(dir.path(KFD)).unwrap();
        write(&dir, &format!("{NODES}/11/properties"), "simd_count 4\n");
        write(&dir, &format!("{NODES}/12/name"), "");
        let found = find(Path::new(&dir.path("")));
        assert_eq!(found.devices.len(), 2);
        assert_eq!(
            found.problems,
            [
                "the AMD GPU of node 11 cannot be used: its properties have no gfx_target_version, which drivers have since Linux 5.11",
                "the AMD GPU of node 12 cannot be used: its properties cannot be read: No such file or directory (os error 2)",
                "/dev/kfd cannot be opened: No such file or directory (os error 2). AMD's runtime needs it: add the user to its group (render)",
            ]
        );
    }

    #[test]
    fn names_of_arches() {
        for (version, name) in [
            (90006, "gfx906"),
            (90010, "gfx90a"),
            (90402, "gfx942"),
            (90500, "gfx950"),
            (100300, "gfx1030"),
            (120001, "gfx1201"),
        ] {
            assert_eq!(arch(version).as_deref(), Some(name));
        }
        assert_eq!(arch(0), None);
    }
}
