//! A crate that is written for edition 2024, and built as one of 2015.
async fn later() {}

fn main() {
    let _ = later();
}
