//! One test at a time on a GPU, whatever sandbox it is in and whoever runs it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Held until it is dropped, also by the end of the process.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the file is what holds the lock")] File);

/// Where the lock files are: the one place that is shared and can be written in Bazel's sandbox, which hides /tmp.
pub fn folder() -> PathBuf {
    let shared = Path::new("/dev/shm");
    if shared.is_dir() {
        shared.into()
    } else {
        std::env::temp_dir()
    }
}

/// Locks a device, or returns None where something else has it.
pub fn try_lock(folder: &Path, id: &str) -> anyhow::Result<Option<Lock>> {
    let id: String = id
        .chars()
        .map(|char| {
            if char.is_ascii_alphanumeric() || char == '-' {
                char
            } else {
                '_'
            }
        })
        .collect();
    let path = folder.join(format!("rules_rust_offload.{id}.lock"));
    let file =
        open(&path).with_context(|| format!("the lock {} cannot be opened", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("{} cannot be locked", path.display()))
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    // Reading is enough for a lock. The file may be another user's, which Linux does not let one create again
    // (fs.protected_regular).
    match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o644)
            .open(path),
        opened => opened,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    #[test]
    fn one_at_a_time() {
        let dir = TestDir::new();
        let folder = PathBuf::from(dir.path(""));
        let first = try_lock(&folder, "GPU-1").unwrap();
        assert!(first.is_some());
        assert!(try_lock(&folder, "GPU-1").unwrap().is_none());
        assert!(try_lock(&folder, "GPU-2").unwrap().is_some());
        drop(first);
        assert!(try_lock(&folder, "GPU-1").unwrap().is_some());
    }

    #[test]
    fn an_id_is_no_path() {
        let dir = TestDir::new();
        let folder = PathBuf::from(dir.path(""));
        assert!(try_lock(&folder, "../a").unwrap().is_some());
        assert!(folder.join("rules_rust_offload.___a.lock").exists());
    }

    #[test]
    fn a_folder_that_is_not_there() {
        let error = try_lock(Path::new("/no/such/folder"), "0").unwrap_err();
        assert_eq!(
            format!("{error:#}"),
            "the lock /no/such/folder/rules_rust_offload.0.lock cannot be opened: No such file or directory (os error 2)"
        );
    }
}
