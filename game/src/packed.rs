//! Files that are packed with gzip.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use tamarin_base::files::open_stream;

/// Nothing is said of files that unpack to less than this, in bytes.
const FREE: u64 = 64 << 20;

/// Beyond that a file that unpacks to more than this multiple of its size is refused: games are
/// packed to a fifth or so, while what is made to fill a disk reaches 1,000.
const MAX_RATIO: u64 = 200;

/// The bytes that files of other packers begin with, their names, and what unpacks them.
const OTHERS: [(&[u8], &str, &str); 5] = [
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"PK\x03\x04", "zip", "unzip"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x"),
];

/// The content of a file, unpacked if it is packed: it then begins with the bytes 1f 8b.
///
/// Reading fails if the packed content is damaged or incomplete, or grows without measure.
///
/// # Errors
/// If it cannot be read, or is packed otherwise.
pub fn unpacked<R: BufRead>(mut input: R) -> io::Result<Content<R>> {
    // The first bytes come together but where a pipe is written byte by byte.
    let begin = loop {
        match input.fill_buf() {
            Ok(begin) => break begin,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    if let Some((_, name, tool)) = OTHERS.iter().find(|(first, ..)| begin.starts_with(first)) {
        let text = format!("it is packed with {name}; only gzip is read: unpack it first ({tool})");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    if is_utf_16(begin) {
        let text = "it is text in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)";
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(if begin.starts_with(&[0x1f, 0x8b]) {
        let counted = Counted { input, count: 0 };
        Content::Packed { decoder: MultiGzDecoder::new(counted), count: 0 }
    } else {
        Content::Plain(input)
    })
}

/// Returns `true` if a text begins with the byte order mark of UTF-16, or with two letters of it.
const fn is_utf_16(begin: &[u8]) -> bool {
    matches!(
        begin,
        [0xff, 0xfe, ..]
            | [0xfe, 0xff, ..]
            | [1..=255, 0, 1..=255, 0, ..]
            | [0, 1..=255, 0, 1..=255, ..]
    )
}

/// The content of a plain file or a pipe, unpacked if it is packed, of at most `mebibytes` MiB.
///
/// # Errors
/// If it is something else, cannot be read or is larger.
pub fn read_unpacked(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let content = unpacked(BufReader::new(open_stream(path)?))?;
    content.take((mebibytes << 20) + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > mebibytes << 20 {
        let text = format!("it is larger than {mebibytes} MiB");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

/// The content of a file.
pub enum Content<R> {
    /// As it is.
    Plain(R),
    /// Unpacked, with the bytes so far.
    Packed {
        /// What unpacks it.
        decoder: MultiGzDecoder<Counted<R>>,
        /// Bytes that came out.
        count: u64,
    },
}

impl<R> Content<R> {
    /// Returns `true` if the file is packed.
    pub const fn is_packed(&self) -> bool {
        matches!(self, Self::Packed { .. })
    }
}

impl<R: BufRead> Read for Content<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (decoder, count) = match self {
            Self::Plain(input) => return input.read(buffer),
            Self::Packed { decoder, count } => (decoder, count),
        };
        let length = decoder.read(buffer).map_err(|error| {
            let text = match error.kind() {
                io::ErrorKind::UnexpectedEof => "the packed file breaks off".to_owned(),
                _ => format!("the packed file is damaged: {error}"),
            };
            io::Error::new(error.kind(), text)
        })?;
        *count += length as u64;
        if *count > FREE && *count / MAX_RATIO > decoder.get_ref().count {
            let text = format!("the packed file grows to more than {MAX_RATIO} times its size");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        Ok(length)
    }
}

/// Counts what is read.
pub struct Counted<R> {
    input: R,
    count: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.count += length as u64;
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.input.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::{FREE, unpacked};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::{self, Read, Write};

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).expect("there is memory");
        encoder.finish().expect("there is memory")
    }

    fn content(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut found = Vec::new();
        unpacked(bytes)?.read_to_end(&mut found)?;
        Ok(found)
    }

    #[test]
    fn packed_and_plain_files_are_read() {
        let text = b"1. e4 e5 *\n".repeat(1000);
        assert_eq!(content(&text).expect("it is plain"), text);
        assert_eq!(content(b"").expect("it is empty"), b"");
        assert_eq!(content(&packed(&text)).expect("it is packed"), text);
        // As several files behind each other.
        let twice = [packed(&text), packed(b"1. d4 *")].concat();
        assert_eq!(content(&twice).expect("it is packed"), [&text[..], b"1. d4 *"].concat());
    }

    #[test]
    fn damaged_files_are_refused() {
        let good = packed(&b"1. e4 e5 *\n".repeat(1000));
        let cut = content(&good[..good.len() / 2]).expect_err("it breaks off");
        assert_eq!(cut.to_string(), "the packed file breaks off");
        let mut bad = good;
        let middle = bad.len() / 2;
        bad[middle..].fill(0xff);
        assert!(content(&bad).expect_err("it is damaged").to_string().contains("damaged"));
        assert!(content(&[0x1f, 0x8b, 9, 9, 9]).is_err());
    }

    #[test]
    fn files_of_other_packers_are_refused_by_name() {
        let cases: [(&[u8], &str); 5] = [
            (b"\x28\xb5\x2f\xfd\x04", "it is packed with zstd; only gzip is read: unpack it"),
            (b"BZh91AY&SY", "bzip2"),
            (b"\xfd7zXZ\0\0", "xz"),
            (b"PK\x03\x04\x14", "zip"),
            (b"7z\xbc\xaf\x27\x1c\0", "7-Zip"),
        ];
        for (bytes, wanted) in cases {
            let error = content(bytes).expect_err("it is packed").to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn what_grows_without_measure_is_refused() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        for _ in 0..(FREE >> 20) + 16 {
            encoder.write_all(&[b'x'; 1 << 20]).expect("there is memory");
        }
        let bomb = encoder.finish().expect("there is memory");
        let mut content = unpacked(&bomb[..]).expect("it begins well");
        let error = io::copy(&mut content, &mut io::sink()).expect_err("it grows too much");
        assert!(error.to_string().contains("200 times its size"), "{error}");
    }
}
