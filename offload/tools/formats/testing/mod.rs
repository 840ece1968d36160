//! What the tests of several modules need.

pub mod elf;

/// The same numbers in every run. (xorshift64)
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    pub fn byte(&mut self) -> u8 {
        (self.next() >> 16) as u8
    }
}

/// What an OffloadBinary is made of.
pub struct Image {
    pub version: u32,
    pub image_kind: u16,
    pub offload_kind: u16,
    pub entries: u64,
    pub strings: Vec<(String, String)>,
    pub bitcode: Vec<u8>,
}

impl Default for Image {
    fn default() -> Self {
        Self {
            version: 1,
            image_kind: 2,
            offload_kind: 1,
            entries: 1,
            strings: vec![
                ("triple".into(), "amdgcn-amd-amdhsa".into()),
                ("arch".into(), "gfx90a".into()),
            ],
            bitcode: b"BC\xc0\xde5\x14\0\0\x05\0\0\0".to_vec(),
        }
    }
}

impl Image {
    /// As LLVM writes it: header, entries, string entries, strings, image.
    pub fn bytes(&self) -> Vec<u8> {
        let header_size = if self.version < 3 { 32 } else { 40 };
        let string_entry_size = if self.version < 2 { 16 } else { 24 };
        let string_entries = header_size + 40 * self.entries;
        let strings = string_entries + string_entry_size * self.strings.len() as u64;

        let mut table = Vec::new();
        let mut add = |text: &str| {
            let offset = strings + table.len() as u64;
            table.extend(text.as_bytes());
            table.push(0);
            offset
        };
        let offsets: Vec<_> = self
            .strings
            .iter()
            .map(|(key, value)| (add(key), add(value), value.len() as u64))
            .collect();
        let image_offset = (strings + table.len() as u64).next_multiple_of(8);
        let image_size = self.bitcode.len() as u64;
        let size = (image_offset + image_size).next_multiple_of(8);
        let count = if self.version < 2 { 40 } else { self.entries };

        let mut bytes = b"\x10\xff\x10\xad".to_vec();
        bytes.extend(self.version.to_le_bytes());
        for number in [size, header_size, count] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.resize(header_size as usize, 0);
        for _ in 0..self.entries {
            bytes.extend(self.image_kind.to_le_bytes());
            bytes.extend(self.offload_kind.to_le_bytes());
            bytes.extend(0u32.to_le_bytes());
            let num_strings = self.strings.len() as u64;
            for number in [string_entries, num_strings, image_offset, image_size] {
                bytes.extend(number.to_le_bytes());
            }
        }
        for (key, value, value_size) in offsets {
            bytes.extend(key.to_le_bytes());
            bytes.extend(value.to_le_bytes());
            if self.version >= 2 {
                bytes.extend(value_size.to_le_bytes());
            }
        }
        bytes.extend(table);
        bytes.resize(image_offset as usize, 0);
        bytes.extend(&self.bitcode);
        bytes.resize(size as usize, 0);
        bytes
    }
}
