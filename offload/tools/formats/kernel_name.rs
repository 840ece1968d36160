//! How people name a kernel.

use std::fmt;

use rustc_demangle::{Demangle, try_demangle};

/// A kernel's symbol, to be printed as `path::of::the_kernel::<f32> (symbol)`.
pub struct KernelName<'a> {
    symbol: &'a str,
    /// Not of a kernel with `#[no_mangle]`.
    demangled: Option<Demangle<'a>>,
}

impl<'a> KernelName<'a> {
    pub fn new(symbol: &'a str) -> Self {
        Self {
            symbol,
            demangled: try_demangle(symbol).ok(),
        }
    }

    pub fn symbol(&self) -> &'a str {
        self.symbol
    }

    /// As in the source, or the symbol where it does not say.
    pub fn path(&self) -> String {
        match &self.demangled {
            Some(demangled) => format!("{demangled:#}"),
            None => self.symbol.escape_debug().to_string(),
        }
    }

    /// The crate that the kernel's source is in.
    pub fn crate_name(&self) -> Option<String> {
        let path = format!("{:#}", self.demangled.as_ref()?);
        // The first one that something follows: `<&f32 as a::Trait>::kernel`.
        let before = &path[..path.find("::")?];
        let start = before
            .rfind(|char: char| !char.is_alphanumeric() && char != '_')
            .map_or(0, |at| {
                at + before[at..].chars().next().map_or(0, char::len_utf8)
            });
        let name = &before[start..];
        (!name.is_empty()).then(|| name.into())
    }
}

impl fmt::Display for KernelName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.path())?;
        match self.demangled {
            // Escaped: it may be anything.
            Some(_) => write!(f, " ({})", self.symbol.escape_debug()),
            None => Ok(()),
        }
    }
}

/// The kernels in the order of the names that people read.
pub fn sorted<'a, S: AsRef<str> + ?Sized + 'a>(
    symbols: impl IntoIterator<Item = &'a S>,
) -> Vec<KernelName<'a>> {
    let symbols = symbols.into_iter();
    let mut names: Vec<_> = symbols
        .map(|symbol| KernelName::new(symbol.as_ref()))
        .collect();
    names.sort_by_cached_key(ToString::to_string);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_their_crates() {
        for (symbol, name, crate_name) in [
            (
                "_RINvC6kernel6kerneldE",
                "kernel::kernel::<f64> (_RINvC6kernel6kerneldE)",
                Some("kernel"),
            ),
            (
                "_RNvNtC8my_crate3sub5scale",
                "my_crate::sub::scale (_RNvNtC8my_crate3sub5scale)",
                Some("my_crate"),
            ),
            // As rustc mangles what is no kernel.
            (
                "_RNvCs1234_7kernels3add",
                "kernels::add (_RNvCs1234_7kernels3add)",
                Some("kernels"),
            ),
            (
                "_RNvXC7kernelsRfNtB2_6Kernel3run",
                "<&f32 as kernels::Kernel>::run (_RNvXC7kernelsRfNtB2_6Kernel3run)",
                Some("kernels"),
            ),
            ("unmangled", "unmangled", None),
            ("odd\n\u{1b}", "odd\\n\\u{1b}", None),
        ] {
            let kernel = KernelName::new(symbol);
            assert_eq!(kernel.to_string(), name);
            assert_eq!(kernel.crate_name().as_deref(), crate_name, "{symbol}");
        }
    }

    #[test]
    fn in_the_order_of_what_is_read() {
        let symbols = ["_RINvC1a1kfE", "_RINvC1a1kdE", "A", "_RNvC2aa1k"].map(String::from);
        let names: Vec<String> = sorted(&symbols).iter().map(ToString::to_string).collect();
        assert_eq!(
            names,
            [
                "A",
                "a::k::<f32> (_RINvC1a1kfE)",
                "a::k::<f64> (_RINvC1a1kdE)",
                "aa::k (_RNvC2aa1k)"
            ]
        );
    }
}
