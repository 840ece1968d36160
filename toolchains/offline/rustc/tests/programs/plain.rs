//! A program that launches nothing.
fn main() {
    println!("plain");
}
