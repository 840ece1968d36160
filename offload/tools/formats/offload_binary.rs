//! LLVM's OffloadBinary: an image and strings about it.
//!
//! Little endian; offsets count from the start of the binary. (llvm/Object/OffloadBinary.h)
//!
//! | | header | string entry |
//! |---|---|---|
//! | version 1 | 32 bytes, one entry | key and value offset; both are NUL-terminated |
//! | version 2 | 32 bytes, any number of entries | key and value offset, size of the value |
//! | version 3 | 40 bytes, with the inflated size where the rest is compressed | as in version 2 |

pub const IMAGE_KIND_BITCODE: u16 = 2;
pub const OFFLOAD_KIND_OPENMP: u16 = 1;

/// Where the version is in the header.
pub const VERSION_OFFSET: u64 = 4;

const MAGIC: [u8; 4] = [0x10, 0xff, 0x10, 0xad];
const SIZE_OFFSET: u64 = 8;
const ENTRIES_OFFSET: u64 = 16;
/// In version 1 their size.
const ENTRIES_COUNT_OFFSET: u64 = 24;
const INFLATED_SIZE_OFFSET: u64 = 32;
const ENTRY_SIZE: u64 = 40;

/// The newest version that an LLVM reads. (`OffloadBinary::Version` of its release branch)
pub fn newest_version(llvm_major: u32) -> u32 {
    match llvm_major {
        ..=22 => 1,
        23 => 2,
        _ => 3,
    }
}

pub fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The binary that the bytes start with, where others may follow.
pub fn first(bytes: &[u8]) -> Result<&[u8], String> {
    let size = u64_at(bytes, SIZE_OFFSET, "the size")?;
    usize::try_from(size)
        .ok()
        .and_then(|size| bytes.get(..size))
        .ok_or_else(|| larger_than_file(bytes, size))
}

/// The version, which says how to read what follows.
pub fn version(bytes: &[u8]) -> Result<u32, String> {
    let start = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(start) {
        return Err(format!(
            "the device image is no OffloadBinary. It has the bytes {start:02x?} at offset 0, not {MAGIC:02x?}"
        ));
    }
    field(bytes, VERSION_OFFSET, "the version").map(u32::from_le_bytes)
}

/// An entry of a binary.
#[derive(Debug)]
pub struct Entry<'a> {
    bytes: &'a [u8],
    version: u32,
    pub image_kind: u16,
    pub image_kind_offset: u64,
    pub offload_kind: u16,
    pub offload_kind_offset: u64,
    string_offset: u64,
    num_strings: u64,
    pub image_offset: u64,
    pub image_size: u64,
}

/// What the rest of a binary is once it is inflated, in bytes with the header, if it is compressed.
pub fn inflated_size(bytes: &[u8]) -> Result<Option<u64>, String> {
    if version(bytes)? < 3 {
        return Ok(None);
    }
    let size = u64_at(bytes, INFLATED_SIZE_OFFSET, "the inflated size")?;
    Ok(Some(size).filter(|size| *size != 0))
}

/// Header and rest of a compressed binary.
pub fn split_compressed(bytes: &[u8]) -> Result<(&[u8], &[u8]), String> {
    let offset = u64_at(bytes, ENTRIES_OFFSET, "the offset of entries")?;
    let rest = rest(bytes, offset, "the entries")?;
    Ok((&bytes[..bytes.len() - rest.len()], rest))
}

/// The binary that a compressed one becomes.
pub fn inflated(header: &[u8], rest: &[u8]) -> Vec<u8> {
    let mut bytes = [header, rest].concat();
    let size = bytes.len() as u64;
    for (offset, number) in [(SIZE_OFFSET, size), (INFLATED_SIZE_OFFSET, 0)] {
        let field = offset as usize..offset as usize + 8;
        if let Some(field) = bytes.get_mut(field) {
            field.copy_from_slice(&number.to_le_bytes());
        }
    }
    bytes
}

/// All entries of a binary that is not compressed.
pub fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>, String> {
    let version = version(bytes)?;
    let offset = u64_at(bytes, ENTRIES_OFFSET, "the offset of entries")?;
    let count = match version {
        1 => 1,
        _ => u64_at(bytes, ENTRIES_COUNT_OFFSET, "the number of entries")?,
    };
    // A number that no file has room for ends at the first entry beyond it.
    (0..count)
        .map(|index| {
            Entry::at(
                bytes,
                version,
                offset.saturating_add(index.saturating_mul(ENTRY_SIZE)),
            )
        })
        .collect()
}

impl<'a> Entry<'a> {
    /// Reads a binary of a known version, as rustc writes it: with one entry, and not compressed.
    pub fn parse(bytes: &'a [u8], version: u32) -> Result<Self, String> {
        let length = bytes.len() as u64;
        let size = u64_at(bytes, SIZE_OFFSET, "the size")?;
        if size > length {
            return Err(larger_than_file(bytes, size));
        }
        if size < length {
            return Err(format!(
                "the device image has {} bytes after its end at offset {size}. rustc writes one image to a file",
                length - size
            ));
        }
        let entries_offset = u64_at(bytes, ENTRIES_OFFSET, "the offset of entries")?;
        let count = u64_at(bytes, ENTRIES_COUNT_OFFSET, "the number of entries")?;
        if version == 1 && count != ENTRY_SIZE {
            return Err(format!(
                "the device image has an entry of {count} bytes (at offset {ENTRIES_COUNT_OFFSET}). In version 1 it has {ENTRY_SIZE}"
            ));
        }
        if version >= 3 {
            let inflated_size = u64_at(bytes, INFLATED_SIZE_OFFSET, "the inflated size")?;
            if inflated_size != 0 {
                return Err(format!(
                    "the device image is compressed, with an inflated size of {inflated_size} bytes (at offset {INFLATED_SIZE_OFFSET}). rustc does not compress it"
                ));
            }
        }
        if version >= 2 && count != 1 {
            return Err(format!(
                "the device image has {count} entries (at offset {ENTRIES_COUNT_OFFSET}). rustc writes one"
            ));
        }
        Self::at(bytes, version, entries_offset)
    }

    fn at(bytes: &'a [u8], version: u32, start: u64) -> Result<Self, String> {
        // A sum that does not fit becomes an offset beyond the end of any file.
        let at = |offset: u64| start.saturating_add(offset);
        let entry = Self {
            bytes,
            version,
            image_kind: u16_at(bytes, at(0), "the image kind")?,
            image_kind_offset: at(0),
            offload_kind: u16_at(bytes, at(2), "the offload kind")?,
            offload_kind_offset: at(2),
            string_offset: u64_at(bytes, at(8), "the offset of strings")?,
            num_strings: u64_at(bytes, at(16), "the number of strings")?,
            image_offset: u64_at(bytes, at(24), "the offset of the image")?,
            image_size: u64_at(bytes, at(32), "the size of the image")?,
        };
        let strings_size = entry.num_strings.saturating_mul(string_entry_size(version));
        slice(
            bytes,
            entry.string_offset,
            strings_size,
            "the string entries",
        )?;
        slice(bytes, entry.image_offset, entry.image_size, "the image")?;
        Ok(entry)
    }

    /// Keys and values, in their order.
    pub fn strings(&self) -> Result<Vec<(String, String)>, String> {
        let entry_size = string_entry_size(self.version);
        (0..self.num_strings)
            .map(|index| {
                let at = self
                    .string_offset
                    .saturating_add(index.saturating_mul(entry_size));
                let offset = u64_at(self.bytes, at, "a key")?;
                let key = rest(self.bytes, offset, "a key")?;
                let end = key.iter().position(|&byte| byte == 0);
                let key = &key[..end.ok_or_else(|| truncated(self.bytes, offset, "a key"))?];
                let key = String::from_utf8_lossy(key).into_owned();
                Ok((key, self.value(at)?.0))
            })
            .collect()
    }

    /// The value of a key, and its offset. Of several LLVM takes the last.
    pub fn string(&self, key: &str) -> Result<Option<(String, u64)>, String> {
        let entry_size = string_entry_size(self.version);
        let mut found = None;
        for index in 0..self.num_strings {
            let at = self
                .string_offset
                .saturating_add(index.saturating_mul(entry_size));
            let this_key = rest(self.bytes, u64_at(self.bytes, at, "a key")?, "a key")?;
            if this_key
                .strip_prefix(key.as_bytes())
                .and_then(<[u8]>::first)
                == Some(&0)
            {
                found = Some(at);
            }
        }
        found.map(|at| self.value(at)).transpose()
    }

    fn value(&self, string_entry: u64) -> Result<(String, u64), String> {
        let offset = u64_at(self.bytes, string_entry.saturating_add(8), "a value")?;
        let value = if self.version == 1 {
            let rest = rest(self.bytes, offset, "a value")?;
            let end = rest.iter().position(|&byte| byte == 0);
            &rest[..end.ok_or_else(|| truncated(self.bytes, offset, "a value"))?]
        } else {
            let size = u64_at(
                self.bytes,
                string_entry.saturating_add(16),
                "a value's size",
            )?;
            slice(self.bytes, offset, size, "a value")?
        };
        Ok((String::from_utf8_lossy(value).into_owned(), offset))
    }
}

fn string_entry_size(version: u32) -> u64 {
    if version == 1 { 16 } else { 24 }
}

fn u16_at(bytes: &[u8], offset: u64, what: &str) -> Result<u16, String> {
    field(bytes, offset, what).map(u16::from_le_bytes)
}

fn u64_at(bytes: &[u8], offset: u64, what: &str) -> Result<u64, String> {
    field(bytes, offset, what).map(u64::from_le_bytes)
}

fn field<const N: usize>(bytes: &[u8], offset: u64, what: &str) -> Result<[u8; N], String> {
    rest(bytes, offset, what)?
        .first_chunk()
        .copied()
        .ok_or_else(|| truncated(bytes, offset, what))
}

fn slice<'a>(bytes: &'a [u8], offset: u64, size: u64, what: &str) -> Result<&'a [u8], String> {
    let rest = rest(bytes, offset, what)?;
    usize::try_from(size)
        .ok()
        .and_then(|size| rest.get(..size))
        .ok_or_else(|| truncated(bytes, offset, what))
}

fn rest<'a>(bytes: &'a [u8], offset: u64, what: &str) -> Result<&'a [u8], String> {
    usize::try_from(offset)
        .ok()
        .and_then(|offset| bytes.get(offset..))
        .ok_or_else(|| truncated(bytes, offset, what))
}

fn larger_than_file(bytes: &[u8], size: u64) -> String {
    format!(
        "the device image is truncated at offset {}. Its size at offset {SIZE_OFFSET} is {size} bytes",
        bytes.len()
    )
}

fn truncated(bytes: &[u8], offset: u64, what: &str) -> String {
    format!(
        "the device image is truncated at offset {}, before the end of {what} at offset {offset}",
        bytes.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Image, Random};

    fn parse(bytes: &[u8]) -> Result<Entry<'_>, String> {
        Entry::parse(bytes, version(bytes)?)
    }

    /// Reads all that there is to read.
    fn read(bytes: &[u8]) -> Result<(), String> {
        let entry = parse(bytes)?;
        entry.string("triple")?;
        entry.string("arch")?;
        Ok(())
    }

    fn error(bytes: &[u8]) -> String {
        read(bytes).expect_err("an error")
    }

    /// A valid image with one field overwritten.
    fn patched(image: &Image, offset: usize, value: impl AsRef<[u8]>) -> Vec<u8> {
        let mut bytes = image.bytes();
        let value = value.as_ref();
        bytes[offset..offset + value.len()].copy_from_slice(value);
        bytes
    }

    fn images() -> [Image; 3] {
        [1, 2, 3].map(|version| Image {
            version,
            ..Image::default()
        })
    }

    #[test]
    fn every_version_is_read() {
        for image in images() {
            let bytes = image.bytes();
            assert_eq!(version(&bytes), Ok(image.version));
            let entry = parse(&bytes).unwrap();
            assert_eq!(entry.image_kind, IMAGE_KIND_BITCODE);
            assert_eq!(entry.offload_kind, OFFLOAD_KIND_OPENMP);
            let start = entry.image_offset as usize;
            let end = start + entry.image_size as usize;
            assert_eq!(bytes[start..end], image.bitcode);
            let (triple, offset) = entry.string("triple").unwrap().unwrap();
            assert_eq!(triple, "amdgcn-amd-amdhsa");
            assert!(bytes[offset as usize..].starts_with(b"amdgcn-amd-amdhsa\0"));
            assert_eq!(entry.string("arch").unwrap().unwrap().0, "gfx90a");
            for absent in ["arc", "archs", ""] {
                assert_eq!(entry.string(absent), Ok(None), "{absent}");
            }
        }
    }

    /// The start of what rustc 1.98.1 wrote for gfx90a, byte for byte.
    #[test]
    fn an_image_of_rustc() {
        let mut bytes = b"\x10\xff\x10\xad\x01\0\0\0\x98\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\x28\0\0\0\0\0\0\0\
            \x02\0\x01\0\0\0\0\0\x48\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x90\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\
            \x6e\0\0\0\0\0\0\0\x75\0\0\0\0\0\0\0\x69\0\0\0\0\0\0\0\x87\0\0\0\0\0\0\0\
            \0arch\0triple\0amdgcn-amd-amdhsa\0gfx90a\0\0\0"
            .to_vec();
        bytes.extend(b"BC\xc0\xde5\x14\0\0");
        let entry = parse(&bytes).unwrap();
        assert_eq!(
            entry.string("triple"),
            Ok(Some(("amdgcn-amd-amdhsa".into(), 0x75)))
        );
        assert_eq!(entry.string("arch"), Ok(Some(("gfx90a".into(), 0x87))));
        assert_eq!((entry.image_offset, entry.image_size), (0x90, 8));
    }

    #[test]
    fn every_entry_is_read() {
        for version in [2, 3] {
            let image = Image {
                version,
                entries: 3,
                ..Image::default()
            };
            let bytes = image.bytes();
            let entries = entries(&bytes).unwrap();
            assert_eq!(entries.len(), 3);
            assert_eq!(entries[2].strings().unwrap(), image.strings);
            assert_eq!(entries[2].image_size, image.bitcode.len() as u64);
        }
        let many = patched(&images()[1], 24, u64::MAX.to_le_bytes());
        let error = entries(&many).unwrap_err();
        assert!(
            error.starts_with("the device image is truncated at offset "),
            "{error}"
        );
    }

    #[test]
    fn a_compressed_binary_in_parts() {
        let [_, plain, compressed] = images();
        assert_eq!(inflated_size(&plain.bytes()), Ok(None));
        assert_eq!(inflated_size(&compressed.bytes()), Ok(None));
        let bytes = patched(&compressed, 32, 500u64.to_le_bytes());
        assert_eq!(inflated_size(&bytes), Ok(Some(500)));
        let (header, rest) = split_compressed(&bytes).unwrap();
        assert_eq!(header.len(), 40);
        assert_eq!(inflated(header, rest), compressed.bytes());
        assert!(split_compressed(&patched(&compressed, 16, [0xff; 8])).is_err());
    }

    #[test]
    fn the_last_of_several_values_counts() {
        let mut image = Image::default();
        image.strings.push(("arch".into(), "gfx942".into()));
        let bytes = image.bytes();
        let arch = parse(&bytes).unwrap().string("arch").unwrap().unwrap().0;
        assert_eq!(arch, "gfx942");
    }

    #[test]
    fn the_newest_version_that_an_llvm_reads() {
        for (major, newest) in [(19, 1), (22, 1), (23, 2), (24, 3), (25, 3)] {
            assert_eq!(newest_version(major), newest, "LLVM {major}");
        }
    }

    #[test]
    fn what_is_no_offload_binary() {
        assert_eq!(
            error(b"BC\xc0\xde5\x14\0\0"),
            "the device image is no OffloadBinary. It has the bytes [42, 43, c0, de] at offset 0, not [10, ff, 10, ad]"
        );
        assert_eq!(
            error(b"\x10\x00"),
            "the device image is no OffloadBinary. It has the bytes [10, 00] at offset 0, not [10, ff, 10, ad]"
        );
    }

    #[test]
    fn what_is_truncated() {
        let bytes = Image::default().bytes();
        assert_eq!(
            error(&[]),
            "the device image is truncated at offset 0, before the end of the version at offset 4"
        );
        assert_eq!(
            error(&bytes[..10]),
            "the device image is truncated at offset 10, before the end of the size at offset 8"
        );
        assert_eq!(
            error(&bytes[..100]),
            "the device image is truncated at offset 100. Its size at offset 8 is 160 bytes"
        );
        // A binary that is complete by its own account, and too short for its header.
        let mut short = bytes[..28].to_vec();
        short[8] = 28;
        assert_eq!(
            error(&short),
            "the device image is truncated at offset 28, before the end of the number of entries at offset 24"
        );
    }

    #[test]
    fn what_follows_the_binary() {
        let mut bytes = Image::default().bytes();
        bytes.extend(Image::default().bytes());
        assert_eq!(
            error(&bytes),
            "the device image has 160 bytes after its end at offset 160. rustc writes one image to a file"
        );
    }

    #[test]
    fn the_first_of_several_binaries() {
        let one = Image::default().bytes();
        let mut two = one.clone();
        two.extend(&one);
        assert!(has_magic(&two));
        assert_eq!(first(&two), Ok(&one[..]));
        assert_eq!(first(&one), Ok(&one[..]));
        assert_eq!(
            first(&one[..100]).unwrap_err(),
            "the device image is truncated at offset 100. Its size at offset 8 is 160 bytes"
        );
        assert_eq!(
            first(&one[..10]).unwrap_err(),
            "the device image is truncated at offset 10, before the end of the size at offset 8"
        );
        assert!(!has_magic(b"\x10\xff\x10"));
    }

    #[test]
    fn several_entries() {
        for version in [2, 3] {
            for entries in [0, 2] {
                let image = Image {
                    version,
                    entries,
                    ..Image::default()
                };
                assert_eq!(
                    error(&image.bytes()),
                    format!(
                        "the device image has {entries} entries (at offset 24). rustc writes one"
                    )
                );
            }
        }
        assert_eq!(
            error(&patched(&Image::default(), 24, 80u64.to_le_bytes())),
            "the device image has an entry of 80 bytes (at offset 24). In version 1 it has 40"
        );
    }

    #[test]
    fn a_compressed_binary() {
        let image = Image {
            version: 3,
            ..Image::default()
        };
        assert_eq!(
            error(&patched(&image, 32, 4096u64.to_le_bytes())),
            "the device image is compressed, with an inflated size of 4096 bytes (at offset 32). rustc does not compress it"
        );
    }

    #[test]
    fn hostile_offsets() {
        let image = Image::default();
        // In version 1: header, entry at 32, string entries at 72.
        for (offset, what) in [
            (16, "the image kind"),
            (56, "the image"),
            (72, "a key"),
            (80, "a value"),
        ] {
            assert_eq!(
                error(&patched(&image, offset, u64::MAX.to_le_bytes())),
                format!(
                    "the device image is truncated at offset 160, before the end of {what} at offset {}",
                    u64::MAX
                )
            );
        }
        assert_eq!(
            error(&patched(&image, 40, u64::MAX.to_le_bytes())),
            format!(
                "the device image is truncated at offset 160, before the end of the string entries at offset {}",
                u64::MAX
            )
        );
        assert_eq!(
            error(&patched(&image, 48, u64::MAX.to_le_bytes())),
            "the device image is truncated at offset 160, before the end of the string entries at offset 72"
        );
        assert_eq!(
            error(&patched(&image, 64, u64::MAX.to_le_bytes())),
            "the device image is truncated at offset 160, before the end of the image at offset 144"
        );
        // A value without a NUL up to the end.
        let mut endless = patched(&image, 80, 152u64.to_le_bytes());
        endless[152..].fill(b'a');
        assert_eq!(
            error(&endless),
            "the device image is truncated at offset 160, before the end of a value at offset 152"
        );
        let version_2 = Image {
            version: 2,
            ..Image::default()
        };
        assert_eq!(
            error(&patched(&version_2, 88, u64::MAX.to_le_bytes())),
            "the device image is truncated at offset 176, before the end of a value at offset 127"
        );
    }

    #[test]
    fn every_prefix_is_an_error() {
        for image in images() {
            let bytes = image.bytes();
            for length in 0..bytes.len() {
                assert!(read(&bytes[..length]).is_err(), "{length} bytes");
                // The same with a size that fits, so that what follows the size is read, too.
                let mut prefix = bytes[..length].to_vec();
                if let Some(size) = prefix.get_mut(8..16) {
                    size.copy_from_slice(&(length as u64).to_le_bytes());
                }
                let _ = read(&prefix);
            }
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let mut random = Random::new(1);
        for image in images() {
            let valid = image.bytes();
            for _ in 0..20_000 {
                let mut bytes = valid.clone();
                for _ in 0..=random.below(4) {
                    let index = random.below(bytes.len());
                    bytes[index] = random.byte();
                }
                let _ = read(&bytes);
                // A field of large numbers, which overflow when they are added to something.
                let index = random.below(bytes.len() / 8) * 8;
                bytes[index..index + 8].fill(0xff);
                bytes[index] = random.byte();
                let _ = read(&bytes);
                // Whatever was overwritten, it has a size and a version again.
                bytes[..16].copy_from_slice(&valid[..16]);
                let _ = read(&bytes);
            }
        }
    }
}
