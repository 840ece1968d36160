pub const GREETING: &str = "hello";
