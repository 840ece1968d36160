//! The files of a package.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, ensure};

pub struct Tree {
    root: PathBuf,
    /// By their paths in the package, with their sizes in bytes.
    files: BTreeMap<String, u64>,
}

impl Tree {
    pub fn new(root: PathBuf) -> Self {
        Self {
            root,
            files: BTreeMap::new(),
        }
    }

    pub fn copy(&mut self, path: &str, file: &Path) -> anyhow::Result<()> {
        let stays_inside = Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        ensure!(stays_inside, "{path} is no path in the package");
        let copy = self.root.join(path);
        let cannot = || format!("{} cannot be copied to {}", file.display(), copy.display());
        if let Some(folder) = copy.parent() {
            fs::create_dir_all(folder).with_context(cannot)?;
        }
        let size = fs::copy(file, &copy).with_context(cannot)?;
        self.files.insert(path.into(), size);
        Ok(())
    }

    pub fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    pub fn contains(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    pub fn has_folder(&self, path: &str) -> bool {
        let prefix = if path.is_empty() {
            String::new()
        } else {
            format!("{path}/")
        };
        self.files.keys().any(|file| file.starts_with(&prefix))
    }

    pub fn read(&self, path: &str) -> anyhow::Result<Vec<u8>> {
        let file = self.root.join(path);
        fs::read(&file).with_context(|| format!("{} cannot be read", file.display()))
    }

    /// A line for each file, and one for all of them.
    pub fn sizes(&self) -> String {
        let mut text = String::new();
        let mut total: u64 = 0;
        for (path, size) in &self.files {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{size:>12}  {path}");
            total = total.saturating_add(*size);
        }
        let _ = writeln!(text, "{total:>12}  in {} files", self.files.len());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    #[test]
    fn files_and_their_sizes() {
        let dir = TestDir::new();
        let file = dir.write("file", "1234");
        let mut tree = Tree::new(dir.path("out").into());
        tree.copy("program", file.as_ref()).unwrap();
        tree.copy("program.runfiles/lib/liba.so", file.as_ref())
            .unwrap();
        assert!(tree.contains("program"));
        assert!(tree.has_folder("program.runfiles/lib"));
        assert!(!tree.has_folder("program.runfiles/li"));
        assert!(tree.has_folder(""));
        assert_eq!(tree.read("program").unwrap(), b"1234");
        assert_eq!(
            tree.sizes(),
            "           4  program\n           4  program.runfiles/lib/liba.so\n           8  in 2 files\n"
        );
    }

    #[test]
    fn nothing_is_written_outside() {
        let mut tree = Tree::new("/no/such/folder".into());
        for path in ["../a", "/a", "a/../../b"] {
            let error = tree.copy(path, "/etc/hostname".as_ref()).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{path} is no path in the package")
            );
        }
    }
}
