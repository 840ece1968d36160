//! The file that a subcommand leaves behind.

use std::fs;

/// Writes all of the report or, as far as the file system lets it, no file.
pub fn write(path: &str, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| {
        // Fails where the file could not even be made, and there is nothing else to try.
        let _ = fs::remove_file(path);
        format!("the report {path} cannot be written: {error}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_dir::TestDir;

    #[test]
    fn a_report_is_written() {
        let dir = TestDir::new();
        let path = dir.path("report.txt");
        assert_eq!(write(&path, "all is well\n"), Ok(()));
        assert_eq!(fs::read_to_string(path).unwrap(), "all is well\n");
    }

    #[test]
    fn a_report_that_cannot_be_written() {
        assert_eq!(
            write("/no/such/folder/report.txt", ""),
            Err("the report /no/such/folder/report.txt cannot be written: No such file or directory (os error 2)".to_string())
        );
    }
}
