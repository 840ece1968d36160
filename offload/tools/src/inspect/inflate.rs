//! Compressed OffloadBinaries. (`decompressOffloadBinary`, llvm/lib/Object/OffloadBinary.cpp)

use std::io::Read;

use flate2::read::ZlibDecoder;
use offload_formats::offload_binary;
use ruzstd::decoding::StreamingDecoder;

const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// More is not believed: a small file may claim any size.
const LARGEST: u64 = 4 << 30;

/// The binary as it was before it was compressed.
pub fn inflate(bytes: &[u8], inflated_size: u64) -> Result<Vec<u8>, String> {
    let (header, rest) = offload_binary::split_compressed(bytes)?;
    let wanted = inflated_size
        .checked_sub(header.len() as u64)
        .filter(|size| *size <= LARGEST)
        .ok_or_else(|| {
            format!(
                "the inflated size {inflated_size} (at offset 32) cannot be that of a device image"
            )
        })?;
    let mut inflated = Vec::new();
    // One byte more tells what is too long.
    let result = if rest.starts_with(&ZSTD) {
        let decoder = StreamingDecoder::new(rest)
            .map_err(|error| format!("the device image cannot be inflated: {error}"))?;
        decoder.take(wanted + 1).read_to_end(&mut inflated)
    } else {
        let decoder = ZlibDecoder::new(rest);
        decoder.take(wanted + 1).read_to_end(&mut inflated)
    };
    result.map_err(|error| format!("the device image cannot be inflated: {error}"))?;
    if inflated.len() as u64 != wanted {
        return Err(format!(
            "the device image has {} bytes when it is inflated, and {inflated_size} by its header (at offset 32)",
            if inflated.len() as u64 > wanted {
                format!("more than {inflated_size}")
            } else {
                (inflated.len() + header.len()).to_string()
            }
        ));
    }
    Ok(offload_binary::inflated(header, &inflated))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Image;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use std::io::Write;

    /// As LLVM writes it: the header as it was, but for the sizes.
    fn compressed(image: &Image, pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let plain = image.bytes();
        let mut bytes = plain[..40].to_vec();
        bytes.extend(pack(&plain[40..]));
        bytes[32..40].copy_from_slice(&(plain.len() as u64).to_le_bytes());
        let size = bytes.len() as u64;
        bytes[8..16].copy_from_slice(&size.to_le_bytes());
        bytes
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Uncompressed)
    }

    fn image() -> Image {
        Image {
            version: 3,
            ..Image::default()
        }
    }

    #[test]
    fn both_formats() {
        for pack in [zlib, zstd] {
            let bytes = compressed(&image(), pack);
            let size = offload_binary::inflated_size(&bytes).unwrap().unwrap();
            assert_eq!(inflate(&bytes, size), Ok(image().bytes()));
        }
    }

    #[test]
    fn sizes_that_are_wrong() {
        let bytes = compressed(&image(), zlib);
        let size = image().bytes().len() as u64;
        assert_eq!(
            inflate(&bytes, size - 1).unwrap_err(),
            format!(
                "the device image has more than {} bytes when it is inflated, and {} by its header (at offset 32)",
                size - 1,
                size - 1
            )
        );
        assert_eq!(
            inflate(&bytes, size + 1).unwrap_err(),
            format!(
                "the device image has {size} bytes when it is inflated, and {} by its header (at offset 32)",
                size + 1
            )
        );
        for size in [3, u64::MAX] {
            assert_eq!(
                inflate(&bytes, size).unwrap_err(),
                format!("the inflated size {size} (at offset 32) cannot be that of a device image")
            );
        }
    }

    #[test]
    fn what_cannot_be_inflated() {
        for pack in [zlib, zstd] {
            let mut bytes = compressed(&image(), pack);
            bytes.truncate(bytes.len() - 5);
            let error = inflate(&bytes, image().bytes().len() as u64).unwrap_err();
            assert!(error.starts_with("the device image "), "{error}");
        }
    }
}
