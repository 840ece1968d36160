//! The programs of a build, and what they say of themselves.

use std::path::Path;
use std::process::Command;

use offload_formats::llvm_version::LlvmVersion;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Compiler {
    pub path: String,
    /// As `rustc -vV` names it, such as `1.98.1`.
    pub release: Option<String>,
    pub llvm_version: Option<String>,
    /// Why it says nothing.
    pub error: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Program {
    pub path: String,
    pub version: Option<String>,
    /// The LLVM that it has to be of: the first two numbers are compared.
    pub wanted: Option<String>,
    pub matches: Option<bool>,
    pub error: Option<String>,
}

impl Compiler {
    pub fn llvm(&self) -> Option<LlvmVersion> {
        LlvmVersion::parse(self.llvm_version.as_deref()?)
    }

    pub fn problem(&self) -> Option<String> {
        let error = self.error.as_ref()?;
        Some(format!("{} does not work. {error}.", self.path))
    }
}

impl Program {
    pub fn problem(&self) -> Option<String> {
        if let Some(error) = &self.error {
            return Some(format!("{} does not work. {error}.", self.path));
        }
        let (Some(version), Some(wanted), Some(false)) =
            (&self.version, &self.wanted, self.matches)
        else {
            return None;
        };
        Some(format!(
            "{} is of another LLVM than rustc. It is of {version}, and rustc of {wanted}. \
             Name a folder with the same LLVM in offload.llvm, or leave it out.",
            self.path
        ))
    }
}

pub fn compiler(rustc: &Path) -> Compiler {
    let (printed, error) = printed(rustc, &["-vV"]);
    let release = printed
        .lines()
        .find_map(|line| line.strip_prefix("release: "))
        .map(String::from);
    let llvm = LlvmVersion::of_rustc(&printed);
    let error = error.or_else(|| {
        (release.is_none() || llvm.is_none())
            .then(|| "-vV prints no release and no LLVM version".into())
    });
    Compiler {
        path: rustc.display().to_string(),
        release,
        llvm_version: llvm.map(|version| version.to_string()),
        error,
    }
}

pub fn llvm_tool(tool: &Path, wanted: Option<LlvmVersion>) -> Program {
    // Under these names it asks which linker it is to be.
    let is_generic = tool
        .file_name()
        .is_some_and(|name| name == "lld" || name == "rust-lld");
    let (printed, error) = if is_generic {
        printed(tool, &["-flavor", "gnu", "--version"])
    } else {
        printed(tool, &["--version"])
    };
    let version = LlvmVersion::of_tool(&printed);
    Program {
        path: tool.display().to_string(),
        version: version.map(|version| version.to_string()),
        wanted: wanted.map(|version| version.to_string()),
        matches: version
            .zip(wanted)
            .map(|(version, wanted)| version.same_series(wanted)),
        error: error.or_else(|| {
            version
                .is_none()
                .then(|| "--version prints no LLVM version".into())
        }),
    }
}

/// `Cuda compilation tools, release 12.9, V12.9.86`
pub fn ptxas(ptxas: &Path) -> Program {
    let (printed, error) = printed(ptxas, &["--version"]);
    let version = printed
        .lines()
        .find_map(|line| line.rsplit_once(", V"))
        .map(|(_, version)| version.trim().to_string());
    Program {
        path: ptxas.display().to_string(),
        error: error.or_else(|| {
            version
                .is_none()
                .then(|| "--version prints no version of ptxas".into())
        }),
        version,
        wanted: None,
        matches: None,
    }
}

/// What it printed, and why it did not end well.
fn printed(program: &Path, arguments: &[&str]) -> (String, Option<String>) {
    match Command::new(program).args(arguments).output() {
        Err(error) => (
            String::new(),
            Some(format!("it cannot be started: {error}")),
        ),
        Ok(output) => {
            let error = (!output.status.success()).then(|| {
                let said = String::from_utf8_lossy(&output.stderr);
                let arguments = arguments.join(" ");
                format!("{arguments} ends with {}: {}", output.status, said.trim())
            });
            (String::from_utf8_lossy(&output.stdout).into_owned(), error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Programs that are there everywhere stand in: a script that a test has just written cannot always be started.

    #[test]
    fn what_cannot_be_started() {
        let missing = Path::new("/no/such/program");
        assert_eq!(
            compiler(missing).problem().unwrap(),
            "/no/such/program does not work. it cannot be started: No such file or directory (os error 2)."
        );
        assert_eq!(
            llvm_tool(missing, None).problem().unwrap(),
            "/no/such/program does not work. it cannot be started: No such file or directory (os error 2)."
        );
    }

    #[test]
    fn what_says_nothing_of_use() {
        let program = Path::new("/bin/echo");
        assert_eq!(
            compiler(program).problem().unwrap(),
            "/bin/echo does not work. -vV prints no release and no LLVM version."
        );
        assert_eq!(
            ptxas(program).problem().unwrap(),
            "/bin/echo does not work. --version prints no version of ptxas."
        );
        let failing = compiler(Path::new("/bin/false")).problem().unwrap();
        assert_eq!(
            failing,
            "/bin/false does not work. -vV ends with exit status: 1: ."
        );
    }

    #[test]
    fn another_llvm() {
        let tool = |version: &str, matches| Program {
            path: "bin/llc".into(),
            version: Some(version.into()),
            wanted: Some("22.1.8".into()),
            matches: Some(matches),
            error: None,
        };
        assert_eq!(tool("22.1.8", true).problem(), None);
        assert_eq!(
            tool("19.1.7", false).problem().unwrap(),
            "bin/llc is of another LLVM than rustc. It is of 19.1.7, and rustc of 22.1.8. \
             Name a folder with the same LLVM in offload.llvm, or leave it out."
        );
    }
}
