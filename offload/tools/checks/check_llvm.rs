//! `check-llvm`: are the LLVM tools and the offload runtime of the LLVM that rustc was built with?

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::arguments::{Arguments, required, set_once};
use crate::report;
use offload_formats::llvm_version::{LlvmVersion, leading_number};

/// A program, or the offload runtime.
#[derive(Debug, PartialEq)]
struct Program {
    name: String,
    label: String,
    path: String,
}

#[derive(Debug)]
struct Options {
    rustc: Program,
    tools: Vec<Program>,
    runtime: Option<Program>,
    allow_patch_difference: bool,
    fix: String,
    out: String,
}

/// What the programs said.
struct Found<'a> {
    rustc: (&'a Program, LlvmVersion),
    tools: Vec<(&'a Program, LlvmVersion)>,
    runtime: Option<(&'a Program, Soname)>,
}

/// `libomptarget.so.22.1`: LLVM names its shared libraries by major and minor version.
#[derive(Debug, PartialEq)]
struct Soname {
    text: String,
    major: u32,
    minor: u32,
}

pub fn run(arguments: Arguments) -> Result<(), String> {
    let options = parse_options(arguments)?;
    let found = ask_all(&options)?;
    compare(&found, options.allow_patch_difference, &options.fix)?;
    report::write(&options.out, &report(&found))
}

fn parse_options(mut arguments: Arguments) -> Result<Options, String> {
    let (mut rustc, mut runtime, mut fix, mut out) = (None, None, None, None);
    let mut tools = Vec::new();
    let mut allow_patch_difference = false;
    while let Some(option) = arguments.next_option()? {
        let mut value = || arguments.value(&option);
        match option.as_str() {
            "--rustc" => set_once(&mut rustc, &option, parse_program("rustc", &value()?)?)?,
            "--tool" => {
                let value = value()?;
                let (name, program) = value
                    .split_once('=')
                    .ok_or_else(|| format!("--tool is not NAME=LABEL=PATH: {value}"))?;
                tools.push(parse_program(name, program)?);
            }
            "--runtime" => {
                let program = parse_program("libomptarget", &value()?)?;
                set_once(&mut runtime, &option, program)?;
            }
            "--allow-patch-difference" => allow_patch_difference = true,
            "--fix" => set_once(&mut fix, &option, value()?)?,
            "--out" => set_once(&mut out, &option, value()?)?,
            _ => return Err(format!("check-llvm has no option {option}")),
        }
    }
    Ok(Options {
        rustc: required(rustc, "--rustc")?,
        tools,
        runtime,
        allow_patch_difference,
        fix: required(fix, "--fix")?,
        out: required(out, "--out")?,
    })
}

fn parse_program(name: &str, value: &str) -> Result<Program, String> {
    // A path may contain `=`, a label cannot.
    let (label, path) = value
        .split_once('=')
        .ok_or_else(|| format!("{name} is not given as LABEL=PATH: {value}"))?;
    Ok(Program {
        name: name.into(),
        label: label.into(),
        path: path.into(),
    })
}

fn ask_all(options: &Options) -> Result<Found<'_>, String> {
    let rustc = ask(&options.rustc, &["-vV"], LlvmVersion::of_rustc)?;
    let mut tools = Vec::new();
    for tool in &options.tools {
        let version = ask(tool, version_arguments(tool), LlvmVersion::of_tool)?;
        tools.push((tool, version));
    }
    let runtime = match &options.runtime {
        Some(runtime) => Some((runtime, read_runtime(runtime)?)),
        None => None,
    };
    Ok(Found {
        rustc: (&options.rustc, rustc),
        tools,
        runtime,
    })
}

fn version_arguments(tool: &Program) -> &'static [&'static str] {
    let file_name = Path::new(&tool.path)
        .file_name()
        .and_then(|name| name.to_str());
    // lld is told by its name which linker to be. By these it is none, and refuses.
    if [Some(tool.name.as_str()), file_name]
        .iter()
        .any(|name| matches!(name, Some("lld" | "rust-lld")))
    {
        &["-flavor", "gnu", "--version"]
    } else {
        &["--version"]
    }
}

fn ask(
    program: &Program,
    arguments: &[&str],
    parse: fn(&str) -> Option<LlvmVersion>,
) -> Result<LlvmVersion, String> {
    let Program { label, path, .. } = program;
    let command = format!("{path} {}", arguments.join(" "));
    // Without a folder in front of it, a name would be looked up on PATH.
    let output = Command::new(Path::new(".").join(path))
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{label}: `{command}` does not start: {error}."))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let printed = || {
        quote(&format!(
            "{stdout}{}",
            String::from_utf8_lossy(&output.stderr)
        ))
    };
    if !output.status.success() {
        let status = output.status;
        return Err(format!(
            "{label}: `{command}` failed ({status}). {}",
            printed()
        ));
    }
    parse(&stdout).ok_or_else(|| {
        format!(
            "{label}: `{command}` does not name an LLVM version. {}",
            printed()
        )
    })
}

/// The start of what a program printed, which may be long where it is not the program that it should be.
fn quote(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().take(10).collect();
    if lines.is_empty() {
        return "It printed nothing.".into();
    }
    format!("It printed:\n  {}", lines.join("\n  "))
}

fn read_runtime(runtime: &Program) -> Result<Soname, String> {
    let Program { label, path, .. } = runtime;
    let bytes = fs::read(path)
        .map_err(|error| format!("{label}: the offload runtime {path} cannot be read: {error}."))?;
    find_soname(&bytes).ok_or_else(|| {
        format!(
            "{label}: the offload runtime {path} has no SONAME libomptarget.so.<major>.<minor>, which would name its LLVM version."
        )
    })
}

/// Finds the SONAME without reading ELF: it is in .dynstr, a table of strings between NULs whose first byte is NUL.
fn find_soname(bytes: &[u8]) -> Option<Soname> {
    let start = bytes.iter().position(|&byte| byte == 0)?;
    let end = bytes.iter().rposition(|&byte| byte == 0)?;
    bytes[start..end]
        .split(|&byte| byte == 0)
        .filter(|string| string.is_ascii())
        .find_map(|string| parse_soname(str::from_utf8(string).ok()?))
}

fn parse_soname(text: &str) -> Option<Soname> {
    let (major, rest) = leading_number(text.strip_prefix("libomptarget.so.")?)?;
    let (minor, _) = leading_number(rest.strip_prefix('.')?)?;
    Some(Soname {
        text: text.into(),
        major,
        minor,
    })
}

/// Returns an error that names all that differs.
fn compare(found: &Found, allow_patch_difference: bool, fix: &str) -> Result<(), String> {
    let (rustc, wanted) = found.rustc;
    let mut lines = Vec::new();
    let mut patch_level_differs = false;
    for (tool, version) in &found.tools {
        if !version.same_series(wanted) {
            lines.push(format!("  {} says LLVM {version}", tool.label));
        } else if *version != wanted && !allow_patch_difference {
            patch_level_differs = true;
            lines.push(format!(
                "  {} says LLVM {version}: major and minor agree, only the patch level differs",
                tool.label
            ));
        }
    }
    let tools_differ = !lines.is_empty();
    let mut runtime_differs = false;
    if let Some((runtime, soname)) = &found.runtime
        && (soname.major, soname.minor) != (wanted.major, wanted.minor)
    {
        runtime_differs = true;
        lines.push(format!(
            "  {} says LLVM {}.{} (its SONAME is {})",
            runtime.label, soname.major, soname.minor, soname.text
        ));
    }

    let what = match (tools_differ, runtime_differs) {
        (false, false) => return Ok(()),
        (true, false) => "the LLVM tools do",
        (false, true) => "the offload runtime does",
        (true, true) => "the LLVM tools and the offload runtime do",
    };
    let label = &rustc.label;
    lines.insert(
        0,
        format!("{what} not match rustc's LLVM {wanted} ({label})."),
    );
    if patch_level_differs {
        lines.push(
            "offload.llvm(allow_patch_difference = True) accepts tools of another patch level."
                .into(),
        );
    }
    lines.push(fix.into());
    Err(lines.join("\n"))
}

fn report(found: &Found) -> String {
    let programs = std::iter::once(&found.rustc).chain(&found.tools);
    let mut lines: Vec<String> = programs
        .map(|(program, version)| format!("LLVM {version}  {}  {}\n", program.name, program.label))
        .collect();
    if let Some((runtime, soname)) = &found.runtime {
        let Soname { major, minor, .. } = soname;
        lines.push(format!(
            "LLVM {major}.{minor}  {}  {}\n",
            runtime.name, runtime.label
        ));
    }
    lines.concat()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;
    use crate::testing::Random;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    const RUSTC: &str = "rustc 1.100.0-nightly\nbinary: rustc\nLLVM version: 22.1.8";
    const FIX: &str = "Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel.";

    /// Held while a script is written and while programs are started: a script cannot be started as long as a child of
    /// another test has it open for writing.
    static SCRIPTS: Mutex<()> = Mutex::new(());

    fn lock_scripts() -> MutexGuard<'static, ()> {
        SCRIPTS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Programs that print something, and the options that name them.
    struct Programs {
        dir: TestDir,
        options: Vec<String>,
    }

    impl Programs {
        fn new() -> Self {
            let dir = TestDir::new();
            let out = dir.path("report.txt");
            Self {
                dir,
                options: ["--fix", FIX, "--out", &out].map(String::from).into(),
            }
        }

        fn script(&self, name: &str, script: &str) -> String {
            let _lock = lock_scripts();
            let path = self.dir.write(name, format!("#!/bin/sh\n{script}\n"));
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        }

        fn option(mut self, option: &str, value: String) -> Self {
            self.options.extend([option.into(), value]);
            self
        }

        fn rustc(self, printed: &str) -> Self {
            let path = self.script("rustc", &format!("test \"$*\" = -vV && echo '{printed}'"));
            self.option("--rustc", format!("@@rust_offload//:bin/rustc={path}"))
        }

        fn tool(self, name: &str, script: &str) -> Self {
            let path = self.script(name, script);
            self.option("--tool", format!("{name}=@@x//:bin/{name}={path}"))
        }

        fn prints(self, name: &str, printed: &str) -> Self {
            self.tool(
                name,
                &format!("test \"$*\" = --version && echo '{printed}'"),
            )
        }

        fn runtime(self, soname: &str) -> Self {
            let content = format!("\x7fELF\0libomp.so.5\0{soname}\0libLLVM.so.22.1\0");
            let path = self.dir.write("libomptarget.so", content);
            self.option("--runtime", format!("@@x//:libomptarget.so={path}"))
        }

        fn run(&self) -> Result<String, String> {
            let arguments = self.options.iter().map(Into::into).collect();
            let result = {
                let _lock = lock_scripts();
                run(Arguments::new(arguments))
            };
            let report = fs::read_to_string(self.dir.path("report.txt")).ok();
            // A report, if and only if all is well.
            assert_eq!(report.is_some(), result.is_ok());
            result.map(|()| report.unwrap_or_default())
        }

        fn error(&self) -> String {
            self.run().expect_err("an error")
        }
    }

    #[test]
    fn all_match() {
        let programs = Programs::new()
            .rustc(RUSTC)
            .prints("clang", "Debian clang version 22.1.8 (1~deb12u1)")
            .prints("ld.lld", "LLD 22.1.8 (compatible with GNU linkers)")
            .prints(
                "llc",
                "LLVM (http://llvm.org/):\n  LLVM version 22.1.8-rust-1.100.0-nightly",
            )
            .runtime("libomptarget.so.22.1-rust-1.100.0-nightly");
        assert_eq!(
            programs.run().unwrap(),
            "LLVM 22.1.8  rustc  @@rust_offload//:bin/rustc\n\
             LLVM 22.1.8  clang  @@x//:bin/clang\n\
             LLVM 22.1.8  ld.lld  @@x//:bin/ld.lld\n\
             LLVM 22.1.8  llc  @@x//:bin/llc\n\
             LLVM 22.1  libomptarget  @@x//:libomptarget.so\n"
        );
    }

    #[test]
    fn rustc_alone() {
        assert_eq!(
            Programs::new().rustc(RUSTC).run().unwrap(),
            "LLVM 22.1.8  rustc  @@rust_offload//:bin/rustc\n"
        );
    }

    #[test]
    fn options_of_a_response_file() {
        let mut programs = Programs::new()
            .rustc(RUSTC)
            .prints("opt", "LLVM version 22.1.8");
        let file = programs.dir.write("params", programs.options.join("\n"));
        programs.options = vec![format!("@{file}")];
        assert_eq!(
            programs.run().unwrap(),
            "LLVM 22.1.8  rustc  @@rust_offload//:bin/rustc\nLLVM 22.1.8  opt  @@x//:bin/opt\n"
        );
    }

    #[test]
    fn lld_is_told_its_flavor() {
        let script = "test \"$*\" = '-flavor gnu --version' || exit 1; echo LLD 22.1.8";
        for name in ["lld", "rust-lld"] {
            let report = Programs::new()
                .rustc(RUSTC)
                .tool(name, script)
                .run()
                .unwrap();
            assert!(report.ends_with(&format!("LLVM 22.1.8  {name}  @@x//:bin/{name}\n")));
        }
        // By the name of the file, too.
        let programs = Programs::new().rustc(RUSTC);
        let path = programs.script("rust-lld", script);
        let programs = programs.option("--tool", format!("linker=@@x//:rust-lld={path}"));
        assert!(programs.run().is_ok());
    }

    #[test]
    fn the_environment_is_empty() {
        let programs = Programs::new().rustc(RUSTC).tool(
            "clang",
            "test -z \"$HOME$USER$CARGO$TEST_TMPDIR\" && echo clang version 22.1.8",
        );
        assert!(programs.run().is_ok());
    }

    #[test]
    fn another_version() {
        let programs = Programs::new().rustc(RUSTC).prints("lld.19", "LLD 19.1.7");
        assert_eq!(
            programs.error(),
            "the LLVM tools do not match rustc's LLVM 22.1.8 (@@rust_offload//:bin/rustc).\n  \
             @@x//:bin/lld.19 says LLVM 19.1.7\n\
             Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel."
        );
    }

    #[test]
    fn another_patch_level() {
        let programs = Programs::new()
            .rustc(RUSTC)
            .prints("clang", "clang version 22.1.7");
        assert_eq!(
            programs.error(),
            "the LLVM tools do not match rustc's LLVM 22.1.8 (@@rust_offload//:bin/rustc).\n  \
             @@x//:bin/clang says LLVM 22.1.7: major and minor agree, only the patch level differs\n\
             offload.llvm(allow_patch_difference = True) accepts tools of another patch level.\n\
             Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel."
        );
        let mut allowed = programs;
        allowed.options.push("--allow-patch-difference".into());
        assert_eq!(
            allowed.run().unwrap(),
            "LLVM 22.1.8  rustc  @@rust_offload//:bin/rustc\nLLVM 22.1.7  clang  @@x//:bin/clang\n"
        );
    }

    #[test]
    fn another_minor_version_is_never_allowed() {
        let mut programs = Programs::new()
            .rustc(RUSTC)
            .prints("clang", "clang version 22.2.8");
        programs.options.push("--allow-patch-difference".into());
        assert_eq!(
            programs.error(),
            "the LLVM tools do not match rustc's LLVM 22.1.8 (@@rust_offload//:bin/rustc).\n  \
             @@x//:bin/clang says LLVM 22.2.8\n\
             Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel."
        );
    }

    #[test]
    fn another_runtime() {
        let programs = Programs::new()
            .rustc(RUSTC)
            .prints("clang", "clang version 22.1.8")
            .runtime("libomptarget.so.19.1");
        assert_eq!(
            programs.error(),
            "the offload runtime does not match rustc's LLVM 22.1.8 (@@rust_offload//:bin/rustc).\n  \
             @@x//:libomptarget.so says LLVM 19.1 (its SONAME is libomptarget.so.19.1)\n\
             Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel."
        );
    }

    #[test]
    fn all_that_differs_is_named() {
        let programs = Programs::new()
            .rustc(RUSTC)
            .prints("clang", "clang version 22.1.7")
            .prints("llc", "LLVM version 22.1.8")
            .prints("opt", "LLVM version 23.1.1-rust-1.100.0-nightly")
            .runtime("libomptarget.so.23.1-rust-1.100.0-nightly");
        assert_eq!(
            programs.error(),
            "the LLVM tools and the offload runtime do not match rustc's LLVM 22.1.8 (@@rust_offload//:bin/rustc).\n  \
             @@x//:bin/clang says LLVM 22.1.7: major and minor agree, only the patch level differs\n  \
             @@x//:bin/opt says LLVM 23.1.1\n  \
             @@x//:libomptarget.so says LLVM 23.1 (its SONAME is libomptarget.so.23.1-rust-1.100.0-nightly)\n\
             offload.llvm(allow_patch_difference = True) accepts tools of another patch level.\n\
             Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel."
        );
    }

    #[test]
    fn a_program_that_fails() {
        let programs = Programs::new()
            .rustc(RUSTC)
            .tool("ld", "echo out; echo lld is a generic driver >&2; exit 3");
        let path = programs.dir.path("ld");
        assert_eq!(
            programs.error(),
            format!(
                "@@x//:bin/ld: `{path} --version` failed (exit status: 3). It printed:\n  out\n  lld is a generic driver"
            )
        );
        let programs = Programs::new().rustc(RUSTC).tool("ld", "exit 1");
        let path = programs.dir.path("ld");
        assert_eq!(
            programs.error(),
            format!(
                "@@x//:bin/ld: `{path} --version` failed (exit status: 1). It printed nothing."
            )
        );
    }

    #[test]
    fn a_program_that_names_no_version() {
        let programs = Programs::new().rustc(RUSTC).prints("ar", "GNU ar 2.40");
        let path = programs.dir.path("ar");
        assert_eq!(
            programs.error(),
            format!(
                "@@x//:bin/ar: `{path} --version` does not name an LLVM version. It printed:\n  GNU ar 2.40"
            )
        );
        let programs = Programs::new().rustc("rustc 1.100.0-nightly");
        let path = programs.dir.path("rustc");
        assert_eq!(
            programs.error(),
            format!(
                "@@rust_offload//:bin/rustc: `{path} -vV` does not name an LLVM version. It printed:\n  rustc 1.100.0-nightly"
            )
        );
    }

    #[test]
    fn what_is_printed_is_cut_off() {
        let printed = "line\n".repeat(100);
        assert_eq!(
            quote(&printed),
            format!("It printed:{}", "\n  line".repeat(10))
        );
    }

    #[test]
    fn a_program_that_does_not_start() {
        let programs = Programs::new()
            .rustc(RUSTC)
            .option("--tool", "clang=@@x//:bin/clang=no/such/clang".into());
        assert_eq!(
            programs.error(),
            "@@x//:bin/clang: `no/such/clang --version` does not start: No such file or directory (os error 2)."
        );
        // `sh` is on PATH, but not in the current folder.
        let programs = Programs::new().option("--rustc", "@@x//:sh=sh".into());
        assert_eq!(
            programs.error(),
            "@@x//:sh: `sh -vV` does not start: No such file or directory (os error 2)."
        );
    }

    #[test]
    fn a_runtime_without_a_version() {
        let programs = Programs::new().rustc(RUSTC).runtime("libomptarget.so");
        let path = programs.dir.path("libomptarget.so");
        assert_eq!(
            programs.error(),
            format!(
                "@@x//:libomptarget.so: the offload runtime {path} has no SONAME libomptarget.so.<major>.<minor>, which would name its LLVM version."
            )
        );
        let programs = Programs::new()
            .rustc(RUSTC)
            .option("--runtime", "@@x//:libomptarget.so=no/such/file".into());
        assert_eq!(
            programs.error(),
            "@@x//:libomptarget.so: the offload runtime no/such/file cannot be read: No such file or directory (os error 2)."
        );
    }

    #[test]
    fn sonames() {
        let soname = |text: &str, major, minor| {
            Some(Soname {
                text: text.into(),
                major,
                minor,
            })
        };
        assert_eq!(
            find_soname(b"\x7fELF\0\xff\0libomptarget.so.22.1\0"),
            soname("libomptarget.so.22.1", 22, 1)
        );
        assert_eq!(
            find_soname(b"\0libomptarget.so\0libomptarget.so.23.1-rust-1.100.0-nightly\0\0"),
            soname("libomptarget.so.23.1-rust-1.100.0-nightly", 23, 1)
        );
        for bytes in [
            &b""[..],
            b"\0",
            b"\0\0",
            b"libomptarget.so.22.1",
            b"libomptarget.so.22.1\0",
            b"\0libomptarget.so.22.1",
            b"\0see libomptarget.so.22.1\0",
            b"\0libomptarget.so.22\0",
            b"\0libomptarget.so.22.x\0",
            b"\0libomptarget.so.99999999999.1\0",
            b"\0libomptarget.so.22.1\xff\0",
        ] {
            assert_eq!(find_soname(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn no_bytes_make_the_search_panic() {
        let valid = b"\x7fELF\0libomp.so.5\0libomptarget.so.22.1\0libLLVM.so.22.1\0";
        for length in 0..valid.len() {
            let _ = find_soname(&valid[..length]);
        }
        let mut random = Random::new(3);
        for _ in 0..50_000 {
            let mut bytes = valid.to_vec();
            let index = random.below(bytes.len());
            bytes[index] ^= 1 << random.below(8);
            let _ = find_soname(&bytes);
        }
    }

    #[test]
    fn programs_are_split_at_the_first_equals_sign() {
        let program = parse_program("clang", "@@a+b~c//d/e:f=g/h=i").unwrap();
        assert_eq!(program.label, "@@a+b~c//d/e:f");
        assert_eq!(program.path, "g/h=i");
    }

    #[test]
    fn errors_of_the_command_line() {
        let error = |line: &str| {
            run(Arguments::new(line.split(' ').map(Into::into).collect())).expect_err("an error")
        };
        assert_eq!(error("--rust x"), "check-llvm has no option --rust");
        assert_eq!(error("--rustc x"), "rustc is not given as LABEL=PATH: x");
        assert_eq!(
            error("--runtime x"),
            "libomptarget is not given as LABEL=PATH: x"
        );
        assert_eq!(error("--tool x"), "--tool is not NAME=LABEL=PATH: x");
        assert_eq!(error("--tool x=y"), "x is not given as LABEL=PATH: y");
        assert_eq!(
            error("--rustc @@a//:b=c --rustc @@a//:b=c"),
            "--rustc is given twice"
        );
        assert_eq!(error("--fix x --out y"), "--rustc is missing");
        assert_eq!(error("--rustc @@a//:b=c --out y"), "--fix is missing");
        assert_eq!(error("--rustc @@a//:b=c --fix x"), "--out is missing");
        assert_eq!(error("--tool"), "--tool has no value");
    }
}
