"""Tables of the real index of the nightly of 2026-05-20, which is a thousand times as long."""

REAL_CHANNEL = """\
manifest-version = "2"
date = "2026-05-20"

[pkg.clippy-preview]
version = "0.1.97-nightly"

[pkg.clippy-preview.target.x86_64-unknown-linux-gnu]
available = true
url = "https://static.rust-lang.org/dist/2026-05-20/clippy-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "03c5b87258c911c9248d12dcbd686c36478b2266de67720fd4268c1daa60cb74"
xz_url = "https://static.rust-lang.org/dist/2026-05-20/clippy-nightly-x86_64-unknown-linux-gnu.tar.xz"
xz_hash = "73029528eb47369acc0c523716077a24ecaa55ee96141263cfc3e76c9b2ae61e"
components = []
extensions = []

[pkg.llvm-tools-preview.target.x86_64-unknown-linux-gnu]
available = true
url = "https://static.rust-lang.org/dist/2026-05-20/llvm-tools-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "f5d2f1050438ed9d7d3ac3247de60b3e981c08c90a97e3f9b2a5d411b1fa459b"
xz_url = "https://static.rust-lang.org/dist/2026-05-20/llvm-tools-nightly-x86_64-unknown-linux-gnu.tar.xz"
xz_hash = "9ea53ea07a4fa5deadbf7df8335d5782a8ef6706aaa0c8657c1c628877c8d440"
components = []
extensions = []

[pkg.llvm-tools-preview.target.x86_64-unknown-linux-gnux32]
available = false
components = []
extensions = []

[pkg.rust.target.x86_64-unknown-linux-gnu]
available = true
url = "https://static.rust-lang.org/dist/2026-05-20/rust-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "18f885dc3c2b3a1ac519995349710ca1d66db30c9f9dd74000d1ccb86c39e6f6"
xz_url = "https://static.rust-lang.org/dist/2026-05-20/rust-nightly-x86_64-unknown-linux-gnu.tar.xz"
xz_hash = "4cd8ff6fa82821aa0b6d8031bf6f91afae0f7ba6487f64c437732aef5ff140be"

[[pkg.rust.target.x86_64-unknown-linux-gnu.components]]
pkg = "rustc"
target = "x86_64-unknown-linux-gnu"
is_extension = false

[[pkg.rust.target.x86_64-unknown-linux-gnu.components]]
pkg = "rust-std"
target = "x86_64-unknown-linux-gnu"
is_extension = false

[pkg.rust-src]
version = "1.97.0-nightly (e50aa6fba 2026-05-19)"

[pkg.rust-src.target."*"]
available = true
url = "https://static.rust-lang.org/dist/2026-05-20/rust-src-nightly.tar.gz"
hash = "d8dce822978c172288979a45a6f31befc09861facf9024e9ba924eba29e5fda4"
xz_url = "https://static.rust-lang.org/dist/2026-05-20/rust-src-nightly.tar.xz"
xz_hash = "2bd8b226238befcd267bb5dd851205cdb594ea9d0eda8f93d81f8fabba9ae668"
components = []
extensions = []

[pkg.rust-std.target.nvptx64-nvidia-cuda]
available = true
url = "https://static.rust-lang.org/dist/2026-05-20/rust-std-nightly-nvptx64-nvidia-cuda.tar.gz"
hash = "c68f2b3846513d158e01c065a26de332c48e8ed0ab932d48adb1399efdf286f2"
xz_url = "https://static.rust-lang.org/dist/2026-05-20/rust-std-nightly-nvptx64-nvidia-cuda.tar.xz"
xz_hash = "328522ea452cfe511a54f466ee469a0e9f088ed27d22634aa0699f077dbb4a20"
components = []
extensions = []

[pkg.rust-std.target.x86_64-unknown-linux-gnu]
available = true
url = "https://static.rust-lang.org/dist/2026-05-20/rust-std-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "ecc25ad02aa7e5e9483fa31cf4f96d9a0d1e0adcd468352d07ba0555afd9be09"
xz_url = "https://static.rust-lang.org/dist/2026-05-20/rust-std-nightly-x86_64-unknown-linux-gnu.tar.xz"
xz_hash = "041b44852a1242b1d408718283d26a09fce6f1ee0341104a3cc2ef8104c4ea0b"
components = []
extensions = []

[pkg.rustc]
version = "1.97.0-nightly (e50aa6fba 2026-05-19)"

[pkg.rustc.target.x86_64-unknown-linux-gnu]
available = true
url = "https://static.rust-lang.org/dist/2026-05-20/rustc-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "ff4561eb43c6792656e37893c65cc974ffb86676573821d793c8e6a99329cb55"
xz_url = "https://static.rust-lang.org/dist/2026-05-20/rustc-nightly-x86_64-unknown-linux-gnu.tar.xz"
xz_hash = "1cd9bc70d6397e4173f037f05337b086b55269e34e0fe9ca68024b158fcaeafb"
components = []
extensions = []

[pkg.rustfmt-preview.target.x86_64-unknown-linux-gnu]
available = true
url = "https://static.rust-lang.org/dist/2026-05-20/rustfmt-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "c6638026488b84dfa3acbc4e21473095979e0a49f7ec73d8bdec5a983ef427a8"
xz_url = "https://static.rust-lang.org/dist/2026-05-20/rustfmt-nightly-x86_64-unknown-linux-gnu.tar.xz"
xz_hash = "f6bd636bd8255cc4be62a4013b08dcaa33a341f7caed8b6405cd40280af5cf36"
components = []
extensions = []

[renames.clippy]
to = "clippy-preview"

[renames.llvm-tools]
to = "llvm-tools-preview"

[profiles]
minimal = ["rustc", "cargo", "rust-std", "rust-mingw"]
default = ["rustc", "cargo", "rust-std", "rust-mingw", "rust-docs", "rustfmt-preview", "clippy-preview"]
complete = ["rustc", "cargo", "rust-std", "rust-mingw", "rust-docs", "rustfmt-preview", "clippy-preview", "rust-analyzer-preview", "rust-src", "llvm-tools-preview", "rust-analysis", "miri-preview", "rustc-codegen-cranelift-preview", "rustc-dev"]
"""
