//! A proc macro that both sides use.

use proc_macro::TokenStream;

#[proc_macro]
pub fn forty_two(_: TokenStream) -> TokenStream {
    "42".parse().unwrap()
}
