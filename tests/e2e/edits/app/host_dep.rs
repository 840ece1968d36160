pub const GREETING: &str = macros::same!("hello");
