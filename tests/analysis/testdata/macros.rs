//! Analysed, never compiled.
