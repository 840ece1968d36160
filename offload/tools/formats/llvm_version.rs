//! Versions of LLVM, and where programs name them.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LlvmVersion {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl LlvmVersion {
    /// Reads `22.1.8`. More may follow, as in `23.1.1-rust-1.100.0-nightly`.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, rest) = leading_number(text)?;
        let (minor, rest) = leading_number(rest.strip_prefix('.')?)?;
        let (patch, _) = leading_number(rest.strip_prefix('.')?)?;
        Some(Self {
            major,
            minor,
            patch,
        })
    }

    /// Reads what rustc prints for `-vV`.
    pub fn of_rustc(printed: &str) -> Option<Self> {
        printed
            .lines()
            .find_map(|line| Self::parse(line.strip_prefix("LLVM version: ")?))
    }

    /// Reads what LLVM's programs print for `--version`: `clang version 22.1.8`, `LLVM version 22.1.8`, `LLD 22.1.8`.
    pub fn of_tool(printed: &str) -> Option<Self> {
        let words = printed.split_whitespace();
        words
            .clone()
            .zip(words.skip(1))
            .filter(|(word, _)| ["version", "LLD"].contains(word))
            .find_map(|(_, next)| Self::parse(next))
    }

    /// Whether both are of one release series, whose formats stay the same.
    pub fn same_series(self, other: Self) -> bool {
        (self.major, self.minor) == (other.major, other.minor)
    }
}

impl fmt::Display for LlvmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The number that a text starts with, and the text after it.
pub fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(major: u32, minor: u32, patch: u32) -> Option<LlvmVersion> {
        Some(LlvmVersion {
            major,
            minor,
            patch,
        })
    }

    #[test]
    fn versions() {
        assert_eq!(LlvmVersion::parse("22.1.8"), version(22, 1, 8));
        assert_eq!(
            LlvmVersion::parse("23.1.1-rust-1.100.0-nightly"),
            version(23, 1, 1)
        );
        assert_eq!(LlvmVersion::parse("24.0.0git"), version(24, 0, 0));
        for text in [
            "",
            ".",
            "22",
            "22.1",
            "22.1.",
            "22..8",
            "v22.1.8",
            "+22.1.8",
            "22.-1.8",
            "99999999999.1.8",
            "٢٢.١.٨",
        ] {
            assert_eq!(LlvmVersion::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_tools_print() {
        for (printed, expected) in [
            (
                "Debian clang version 22.1.8 (1~deb12u1)\nTarget: x86_64-pc-linux-gnu\n",
                version(22, 1, 8),
            ),
            ("clang version 23.1.1\n", version(23, 1, 1)),
            (
                "Debian LLD 22.1.8 (compatible with GNU linkers)\n",
                version(22, 1, 8),
            ),
            (
                "LLD 23.1.1 (/checkout/src/llvm-project/llvm 1cb4e38) (compatible with GNU linkers)\n",
                version(23, 1, 1),
            ),
            (
                "llvm-nm, compatible with GNU nm\n  Debian LLVM version 22.1.8\n  Optimized build.\n",
                version(22, 1, 8),
            ),
            (
                "LLVM (http://llvm.org/):\n  LLVM version 23.1.1-rust-1.100.0-nightly\n",
                version(23, 1, 1),
            ),
            (
                "some version of LLD that is LLVM version 22.1.8\n",
                version(22, 1, 8),
            ),
            ("22.1.8\n", None),
            ("aversion 22.1.8\n", None),
            ("clang version\n", None),
            ("lld is a generic driver.\n", None),
            ("", None),
        ] {
            assert_eq!(LlvmVersion::of_tool(printed), expected, "{printed}");
        }
    }

    #[test]
    fn what_rustc_prints() {
        let printed = "rustc 1.100.0-nightly (59807616e 2026-09-20)\nbinary: rustc\nrelease: 1.100.0\nLLVM version: 22.1.8\n";
        assert_eq!(LlvmVersion::of_rustc(printed), version(22, 1, 8));
        assert_eq!(LlvmVersion::of_rustc("LLVM version 22.1.8\n"), None);
        assert_eq!(LlvmVersion::of_rustc("LLVM version: unknown\n"), None);
    }
}
