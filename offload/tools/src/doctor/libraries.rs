//! Where the dynamic loader finds libraries that are opened by name.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The loader's usual folders, and those of drivers that are not among them.
const FOLDERS: [&str; 7] = [
    "lib/x86_64-linux-gnu",
    "usr/lib/x86_64-linux-gnu",
    "lib64",
    "usr/lib64",
    "usr/lib",
    "usr/local/lib",
    "usr/lib/wsl/lib",
];

#[derive(Default)]
pub struct Libraries {
    folders: Vec<PathBuf>,
    /// What `ldconfig -p` prints: name and path of all that the loader's cache has.
    cache: String,
}

impl Libraries {
    pub fn of_machine(root: &Path) -> Self {
        let variable = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let usual = FOLDERS.iter().map(|folder| root.join(folder));
        let cache = ["/sbin/ldconfig", "/usr/sbin/ldconfig"]
            .iter()
            .find_map(|program| Command::new(program).arg("-p").output().ok())
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        Self {
            folders: env::split_paths(&variable).chain(usual).collect(),
            cache: cache.unwrap_or_default(),
        }
    }

    /// The file that a name leads to.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let in_folders = self.folders.iter().map(|folder| folder.join(name));
        in_folders
            .into_iter()
            .find(|file| file.exists())
            .or_else(|| self.in_cache(name))
    }

    /// `libz.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libz.so.1`
    fn in_cache(&self, name: &str) -> Option<PathBuf> {
        self.cache.lines().find_map(|line| {
            let rest = line.trim_start().strip_prefix(name)?.strip_prefix(' ')?;
            let (kind, path) = rest.split_once(" => ")?;
            kind.contains("x86-64").then(|| path.into())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    #[test]
    fn folders_come_before_the_cache() {
        let dir = TestDir::new();
        let file = dir.write("libcuda.so", "");
        let libraries = Libraries {
            folders: vec!["/no/such/folder".into(), dir.path("").into()],
            cache: "3 libs found\n\tlibcuda.so (libc6,x86-64) => /a/libcuda.so\n\
                    \tlibz.so.1 (libc6) => /32/libz.so.1\n\tlibz.so.1 (libc6,x86-64) => /a/libz.so.1\n"
                .into(),
        };
        assert_eq!(libraries.find("libcuda.so"), Some(file.into()));
        assert_eq!(libraries.find("libz.so.1"), Some("/a/libz.so.1".into()));
        assert_eq!(libraries.find("libz.so"), None);
        assert_eq!(libraries.find("libhsa-runtime64.so"), None);
    }
}
