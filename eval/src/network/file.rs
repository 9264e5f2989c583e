//! Networks as files: a header, a description for people, the parameters, a checksum.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TAMARNET` |
//! | 2 | version of the format: 1, or 2 if there are king buckets |
//! | 2 | width `w` |
//! | 2 | output buckets `b` |
//! | 2 | bytes `d` of the description |
//! | 2 | king buckets `k`, in version 2 only: 4 |
//! | `d` | the description, in UTF-8 |
//! | `k` * 768 `w` * 2 | weights of the feature transformer (`k` is 1 in version 1) |
//! | `w` * 2 | biases of the feature transformer |
//! | `b` * 2 `w` * 2 | output weights |
//! | `b` * 4 | output biases |
//! | 8 | FNV-1a of all bytes before |

use core::fmt;
use std::sync::Arc;

use once_cell::sync::Lazy;
use tamarin_base::Fnv1a;

use super::architecture::{BUCKETS, FEATURES, KING_BUCKETS, WIDTHS};
use super::parameters::{
    MAX_DESCRIPTION, Network, Parameters, ParametersError, check_architecture,
};

const MAGIC: [u8; 8] = *b"TAMARNET";

/// The version of networks without king buckets.
const VERSION: u16 = 1;

/// The version of networks with king buckets.
const VERSION_WITH_KING_BUCKETS: u16 = 2;

/// Bytes before the description, without king buckets.
const HEADER: usize = 16;

/// Bytes before the description, with king buckets.
const HEADER_WITH_KING_BUCKETS: usize = HEADER + 2;

/// Bytes of the checksum.
const CHECKSUM: usize = 8;

/// The size of the largest file there can be, in bytes.
pub const MAX_BYTES: usize = Header {
    width: *WIDTHS.end(),
    buckets: BUCKETS[1],
    king_buckets: KING_BUCKETS[1],
    description: MAX_DESCRIPTION,
}
.size();

/// Why bytes are no network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// The beginning is of another kind of file.
    #[error("it is not a network of Tamarin")]
    Foreign,
    /// It ends within the header.
    #[error("it is cut off after {bytes} bytes")]
    TooShort {
        /// Its size.
        bytes: usize,
    },
    /// It has a version that is not known here.
    #[error("it is of version {version}, this program reads 1 and 2")]
    Version {
        /// Its version.
        version: u16,
    },
    /// It is of the version for king buckets, and has another number of them than there may be.
    #[error("it has {king_buckets} king buckets, in version 2 there are 4")]
    KingBuckets {
        /// Their number.
        king_buckets: usize,
    },
    /// Its size is not what its header makes it.
    #[error("it has {found} bytes instead of {expected}")]
    Length {
        /// Its size.
        found: usize,
        /// The size by its header.
        expected: usize,
    },
    /// It was changed after it was written.
    #[error("its checksum is wrong: it is damaged")]
    Checksum,
    /// Its description is not UTF-8.
    #[error("its description is not UTF-8")]
    Text,
    /// Its numbers make no network.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
}

/// What the header says.
struct Header {
    width: usize,
    buckets: usize,
    king_buckets: usize,
    description: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, FileError> {
        if !bytes.starts_with(&MAGIC) {
            let begun = !bytes.is_empty() && MAGIC.starts_with(bytes);
            return Err(if begun { too_short(bytes) } else { FileError::Foreign });
        }
        let field = |index: usize| -> Result<u16, FileError> {
            let at = MAGIC.len() + 2 * index;
            let field = bytes.get(at..at + 2).ok_or_else(|| too_short(bytes))?;
            Ok(u16::from_le_bytes([field[0], field[1]]))
        };
        let version = field(0)?;
        if version != VERSION && version != VERSION_WITH_KING_BUCKETS {
            return Err(FileError::Version { version });
        }
        let (width, buckets) = (usize::from(field(1)?), usize::from(field(2)?));
        check_architecture(width, buckets)?;
        let description = usize::from(field(3)?);
        let king_buckets = if version == VERSION { 1 } else { usize::from(field(4)?) };
        if version != VERSION && king_buckets != KING_BUCKETS[1] {
            return Err(FileError::KingBuckets { king_buckets });
        }
        Ok(Self { width, buckets, king_buckets, description })
    }

    /// Its own size in bytes.
    const fn header_size(&self) -> usize {
        if self.king_buckets == 1 { HEADER } else { HEADER_WITH_KING_BUCKETS }
    }

    /// The size of the file in bytes.
    const fn size(&self) -> usize {
        let shorts = (self.king_buckets * FEATURES + 1 + 2 * self.buckets) * self.width;
        self.header_size() + self.description + 2 * shorts + 4 * self.buckets + CHECKSUM
    }
}

fn too_short(bytes: &[u8]) -> FileError {
    FileError::TooShort { bytes: bytes.len() }
}

impl Network {
    /// The network that a file with these bytes holds.
    ///
    /// # Errors
    /// If it is foreign, cut off, damaged, of another version, or not sound.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let header = Header::read(bytes)?;
        if bytes.len() != header.size() {
            return Err(FileError::Length { found: bytes.len(), expected: header.size() });
        }
        let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if sum != Fnv1a::hash(content).to_le_bytes() {
            return Err(FileError::Checksum);
        }
        let (text, mut rest) = content[header.header_size()..].split_at(header.description);
        let description = str::from_utf8(text).map_err(|_| FileError::Text)?.to_owned();
        let mut shorts = |count: usize| -> Vec<i16> {
            let (taken, left) = rest.split_at(2 * count);
            rest = left;
            taken.as_chunks().0.iter().map(|&two| i16::from_le_bytes(two)).collect()
        };
        let width = header.width;
        let feature_weights = shorts(header.king_buckets * FEATURES * width);
        let feature_biases = shorts(width);
        let output_weights = shorts(header.buckets * 2 * width);
        let output_biases = rest.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four));
        let output_biases = output_biases.collect();
        Ok(Self::from_parameters(Parameters {
            description,
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
        })?)
    }

    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let all = self.parameters();
        let short = |number: usize| {
            u16::try_from(number).expect("invariant: a sound network has small dimensions")
        };
        let mut bytes = MAGIC.to_vec();
        let description = short(all.description.len());
        let with_king_buckets = self.king_buckets() > 1;
        let version = if with_king_buckets { VERSION_WITH_KING_BUCKETS } else { VERSION };
        for field in [version, short(self.width()), short(self.buckets()), description] {
            bytes.extend(field.to_le_bytes());
        }
        if with_king_buckets {
            bytes.extend(short(self.king_buckets()).to_le_bytes());
        }
        bytes.extend(all.description.as_bytes());
        for layer in [&all.feature_weights, &all.feature_biases, &all.output_weights] {
            bytes.extend(layer.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(all.output_biases.iter().flat_map(|number| number.to_le_bytes()));
        let sum = Fnv1a::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The network inside the program: that of the variable `EVALFILE` of the build, or the one
    /// trained on its own games (`docs/network.md`).
    ///
    /// # Panics
    /// If `EVALFILE` named a file that is no network.
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| {
            let network = Network::from_bytes(include_bytes!(env!("TAMARIN_NETWORK")));
            // A test reads that of this crate, `make` another one.
            Arc::new(network.unwrap_or_else(|error| panic!("the network built in: {error}")))
        });
        Arc::clone(&EMBEDDED)
    }

    /// The checksum at the end of its file, which identifies the network.
    pub fn checksum(&self) -> u64 {
        let bytes = self.to_bytes();
        Fnv1a::hash(&bytes[..bytes.len() - CHECKSUM])
    }
}

/// What identifies a network, without its weights.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("width", &self.width())
            .field("buckets", &self.buckets())
            .field("king_buckets", &self.king_buckets())
            .field("description", &self.description())
            .field("checksum", &format_args!("{:016x}", self.checksum()))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{CHECKSUM, FileError, Fnv1a, HEADER, MAX_BYTES};
    use crate::network::{FEATURES, Network, Parameters, ParametersError};
    use tamarin_movegen::Position;

    fn network(width: usize, buckets: usize) -> Network {
        network_with(width, buckets, 1)
    }

    fn network_with(width: usize, buckets: usize, king_buckets: usize) -> Network {
        let numbers = |count: usize, step: usize| -> Vec<i16> {
            (0..count).map(|index| (index * step % 253) as i16 - 126).collect()
        };
        Network::from_parameters(Parameters {
            description: "a test, äöü".to_owned(),
            feature_weights: numbers(king_buckets * FEATURES * width, 7),
            feature_biases: numbers(width, 11),
            output_weights: numbers(buckets * 2 * width, 13),
            output_biases: (0..buckets).map(|index| 1000 * index as i32 - 3000).collect(),
        })
        .unwrap()
    }

    /// The error after a change that the checksum follows.
    fn after(change: impl FnOnce(&mut Vec<u8>)) -> FileError {
        let mut bytes = network(32, 8).to_bytes();
        change(&mut bytes);
        let content = bytes.len() - CHECKSUM;
        let sum = Fnv1a::hash(&bytes[..content]);
        bytes[content..].copy_from_slice(&sum.to_le_bytes());
        Network::from_bytes(&bytes).unwrap_err()
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (width, buckets) in [(32, 1), (32, 8), (128, 8), (256, 1)] {
            let written = network(width, buckets);
            let bytes = written.to_bytes();
            assert!(bytes.ends_with(&written.checksum().to_le_bytes()));
            assert_eq!(Network::from_bytes(&bytes), Ok(written));
            assert!(bytes.len() < MAX_BYTES);
            assert_eq!(bytes[8..10], [1, 0]);
            let written = network_with(width, buckets, 4);
            let with_king_buckets = written.to_bytes();
            assert_eq!(Network::from_bytes(&with_king_buckets), Ok(written));
            assert_eq!(with_king_buckets.len(), bytes.len() + 2 + 3 * 768 * 2 * width);
        }
        let longest = Network::from_parameters(Parameters {
            description: "x".repeat(256),
            feature_weights: vec![0; 4 * FEATURES * 1024],
            feature_biases: vec![0; 1024],
            output_weights: vec![0; 8 * 2 * 1024],
            output_biases: vec![0; 8],
        });
        assert_eq!(longest.unwrap().to_bytes().len(), MAX_BYTES);
    }

    #[test]
    fn another_number_of_king_buckets_is_refused() {
        let good = network_with(32, 1, 4).to_bytes();
        for king_buckets in [0, 1, 2, 3, 5, 255] {
            let mut bytes = good.clone();
            bytes[16] = king_buckets;
            let king_buckets = king_buckets.into();
            assert_eq!(Network::from_bytes(&bytes), Err(FileError::KingBuckets { king_buckets }));
        }
        assert_eq!(Network::from_bytes(&good[..17]), Err(FileError::TooShort { bytes: 17 }));
        let error = Network::from_bytes(&good[..good.len() - 1]).unwrap_err();
        assert!(matches!(error, FileError::Length { expected, .. } if expected == good.len()));
    }

    #[test]
    fn every_cut_is_refused() {
        let bytes = network(32, 1).to_bytes();
        for length in (1..HEADER + 20).chain([bytes.len() / 2, bytes.len() - 1]) {
            let error = Network::from_bytes(&bytes[..length]).unwrap_err();
            match error {
                FileError::TooShort { bytes } => assert!(bytes == length && length < HEADER),
                FileError::Length { found, .. } => assert!(found == length && length >= HEADER),
                other => panic!("{length}: {other}"),
            }
        }
        assert_eq!(Network::from_bytes(b""), Err(FileError::Foreign));
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(matches!(Network::from_bytes(&longer), Err(FileError::Length { .. })));
    }

    #[test]
    fn foreign_files_and_other_versions_are_distinguished() {
        assert_eq!(after(|bytes| bytes[0] = b'X'), FileError::Foreign);
        assert_eq!(after(|bytes| bytes[8] = 3), FileError::Version { version: 3 });
        let width = |error| matches!(error, FileError::Parameters(ParametersError::Width { .. }));
        assert!(width(after(|bytes| bytes[10] = 33)));
        let buckets =
            |error| matches!(error, FileError::Parameters(ParametersError::Buckets { .. }));
        assert!(buckets(after(|bytes| bytes[12] = 4)));
        assert_eq!(after(|bytes| bytes[HEADER] = 0xFF), FileError::Text);
        let range = |error| matches!(error, FileError::Parameters(ParametersError::Range { .. }));
        assert!(range(after(|bytes| bytes[HEADER + 21] = 0x7F)));
    }

    #[test]
    fn the_network_inside_the_program_knows_a_queen_from_a_pawn() {
        let network = Network::embedded();
        assert!(network.to_bytes().len() <= 1 << 20 && !network.description().is_empty());
        let units = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            network.evaluate_from_scratch(position.board())
        };
        let even = units("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let pawn_up = units("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let queen_up = units("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(even.abs() < 100 && pawn_up > even + 30 && queen_up > pawn_up + 300);
    }
}
