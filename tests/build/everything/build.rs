use std::{env, fs, path::Path};

fn main() {
    let out = env::var_os("OUT_DIR").unwrap();
    fs::write(Path::new(&out).join("generated.txt"), "generated").unwrap();
    println!("cargo:rustc-cfg=from_build_script");
    println!("cargo:rustc-env=FROM_BUILD_SCRIPT=set");
    for name in ["CARGO_CFG_TARGET_ARCH", "TARGET"] {
        println!("cargo:rustc-env=SAID_{name}={}", env::var(name).unwrap());
    }
}
