//! The GPU that a test runs on.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;

use super::environment::{Deadline, Environment};
use super::lock::{self, Lock, try_lock};
use crate::devices::{Device, Found, Vendor, arch_runs_on};
use crate::messages::say;

const CUDA_VISIBLE: &str = "CUDA_VISIBLE_DEVICES";
const ROCR_VISIBLE: &str = "ROCR_VISIBLE_DEVICES";

/// How often a test looks whether another one has finished with a GPU.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long it waits before it says so.
const SAY_AFTER: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub enum Choice {
    Device(Device, Lock),
    /// Why not.
    Nothing(String),
}

/// Takes a device that the arches run on and that no other test has, and waits for it if there is none.
pub fn choose(archs: &[String], found: Found, environment: &Environment) -> anyhow::Result<Choice> {
    let fitting: Vec<Device> = found
        .devices
        .iter()
        .filter(|device| is_visible(device, environment))
        .filter(|device| archs.iter().any(|arch| arch_runs_on(arch, device)))
        .cloned()
        .collect();
    if fitting.is_empty() {
        return Ok(Choice::Nothing(reason(archs, &found, environment)));
    }
    take_free(fitting, &lock::folder(), environment.deadline)
}

fn take_free(
    devices: Vec<Device>,
    locks: &Path,
    deadline: Option<Deadline>,
) -> anyhow::Result<Choice> {
    let started = Instant::now();
    let mut said = false;
    loop {
        for device in &devices {
            if let Some(lock) = try_lock(locks, &device.id)? {
                return Ok(Choice::Device(device.clone(), lock));
            }
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline.at) {
            bail!(
                "other tests had every GPU that fits until the timeout of this test: {}. \
                 --local_resources=gpu=<number of GPUs> tells Bazel how many tests to start at once",
                list(&devices)
            );
        }
        if !said && started.elapsed() >= SAY_AFTER {
            say(&format!(
                "waits for another test to finish with {}",
                list(&devices)
            ));
            said = true;
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Has the runtime see this one device, as number 0.
pub fn show_only(command: &mut Command, device: &Device) {
    let (show, hide) = match device.vendor {
        Vendor::Nvidia => (CUDA_VISIBLE, ROCR_VISIBLE),
        Vendor::Amd => (ROCR_VISIBLE, CUDA_VISIBLE),
    };
    command.env(show, &device.id).env(hide, "");
}

/// Whether the variables that the user may have set leave the device visible.
fn is_visible(device: &Device, environment: &Environment) -> bool {
    let listed = match device.vendor {
        Vendor::Nvidia => &environment.visible_to_cuda,
        Vendor::Amd => &environment.visible_to_rocr,
    };
    listed.as_ref().is_none_or(|listed| {
        listed.split(',').map(str::trim).any(|entry| {
            // CUDA takes the start of an id, too.
            entry == device.index.to_string() || (entry.len() > 4 && device.id.starts_with(entry))
        })
    })
}

/// `built for gfx90a, gfx942; found: no AMD GPU`
fn reason(archs: &[String], found: &Found, environment: &Environment) -> String {
    let mut present = Vec::new();
    for (vendor, name, prefix) in [
        (Vendor::Amd, "AMD", "gfx"),
        (Vendor::Nvidia, "NVIDIA", "sm_"),
    ] {
        let is_wanted = archs.iter().any(|arch| arch.starts_with(prefix));
        let has = |device: &&Device| device.vendor == vendor;
        if is_wanted && !found.devices.iter().any(|device| has(&device)) {
            present.push(format!("no {name} GPU"));
        }
    }
    for device in &found.devices {
        let hidden = if is_visible(device, environment) {
            ""
        } else {
            ", hidden by CUDA_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES"
        };
        present.push(format!("{device}{hidden}"));
    }
    present.extend(found.problems.iter().cloned());
    format!(
        "built for {}; found: {}",
        archs.join(", "),
        present.join("; ")
    )
}

fn list(devices: &[Device]) -> String {
    let names: Vec<String> = devices.iter().map(ToString::to_string).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    fn device(vendor: Vendor, index: usize, name: &str, arch: &str) -> Device {
        Device {
            vendor,
            index,
            id: format!("GPU-{index}{index}{index}{index}"),
            name: name.into(),
            arch: arch.into(),
            driver: "580.1".into(),
            memory_bytes: None,
        }
    }

    fn h200() -> Device {
        device(Vendor::Nvidia, 0, "NVIDIA H200", "sm_90")
    }

    fn archs(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    fn reason_of(names: &[&str], devices: Vec<Device>, environment: &Environment) -> String {
        let problems = Vec::new();
        match choose(&archs(names), Found { devices, problems }, environment).unwrap() {
            Choice::Nothing(reason) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_fits() {
        let environment = Environment::default();
        assert_eq!(
            reason_of(&["gfx90a", "gfx942"], Vec::new(), &environment),
            "built for gfx90a, gfx942; found: no AMD GPU"
        );
        assert_eq!(
            reason_of(&["gfx90a"], vec![h200()], &environment),
            "built for gfx90a; found: no AMD GPU; NVIDIA H200 (sm_90, GPU-0000)"
        );
        assert_eq!(
            reason_of(&["gfx90a", "sm_80"], vec![h200()], &environment),
            "built for gfx90a, sm_80; found: no AMD GPU; NVIDIA H200 (sm_90, GPU-0000)"
        );
        assert_eq!(
            reason_of(&["gfx90a", "sm_80"], Vec::new(), &environment),
            "built for gfx90a, sm_80; found: no AMD GPU; no NVIDIA GPU"
        );
    }

    #[test]
    fn a_problem_is_named() {
        let found = Found {
            devices: Vec::new(),
            problems: vec!["/dev/kfd cannot be opened".into()],
        };
        assert_eq!(
            reason(&archs(&["gfx90a"]), &found, &Environment::default()),
            "built for gfx90a; found: no AMD GPU; /dev/kfd cannot be opened"
        );
    }

    #[test]
    fn what_the_user_hides() {
        let hide = |value: &str| Environment {
            visible_to_cuda: Some(value.into()),
            ..Environment::default()
        };
        for hidden in ["", "1", "GPU-1", "GPU", "none"] {
            assert!(!is_visible(&h200(), &hide(hidden)), "{hidden}");
        }
        for shown in ["0", "1, 0", "GPU-0000", "GPU-00"] {
            assert!(is_visible(&h200(), &hide(shown)), "{shown}");
        }
        assert_eq!(
            reason_of(&["sm_90"], vec![h200()], &hide("")),
            "built for sm_90; found: NVIDIA H200 (sm_90, GPU-0000), hidden by CUDA_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES"
        );
    }

    #[test]
    fn a_free_device_is_taken() {
        let dir = TestDir::new();
        let folder = dir.path("");
        let folder = Path::new(&folder);
        let devices = vec![h200(), device(Vendor::Nvidia, 1, "NVIDIA H200", "sm_90")];
        let mut held = Vec::new();
        for index in 0..2 {
            let Choice::Device(device, lock) = take_free(devices.clone(), folder, None).unwrap()
            else {
                panic!("no device");
            };
            assert_eq!(device.index, index);
            held.push(lock);
        }
        let now = Deadline {
            at: Instant::now(),
            timeout: Duration::from_secs(1),
        };
        assert_eq!(
            take_free(devices.clone(), folder, Some(now))
                .unwrap_err()
                .to_string(),
            "other tests had every GPU that fits until the timeout of this test: \
             NVIDIA H200 (sm_90, GPU-0000), NVIDIA H200 (sm_90, GPU-1111). \
             --local_resources=gpu=<number of GPUs> tells Bazel how many tests to start at once"
        );
        let waiting = thread::scope(|scope| {
            let waiting = scope.spawn(|| take_free(devices.clone(), folder, None));
            thread::sleep(2 * LOOK_EVERY);
            held.pop();
            waiting.join().unwrap().unwrap()
        });
        assert!(matches!(waiting, Choice::Device(device, _) if device.index == 1));
    }

    #[test]
    fn one_device_is_shown() {
        let shown = |device: &Device| {
            let mut command = Command::new("program");
            show_only(&mut command, device);
            let mut variables: Vec<_> = command
                .get_envs()
                .map(|(name, value)| (name.to_owned(), value.unwrap().to_owned()))
                .collect();
            variables.sort();
            variables
        };
        let pair = |name: &str, value: &str| (name.into(), value.into());
        assert_eq!(
            shown(&h200()),
            [pair(CUDA_VISIBLE, "GPU-0000"), pair(ROCR_VISIBLE, "")]
        );
        assert_eq!(
            shown(&device(Vendor::Amd, 1, "MI210", "gfx90a")),
            [pair(CUDA_VISIBLE, ""), pair(ROCR_VISIBLE, "GPU-1111")]
        );
    }
}
