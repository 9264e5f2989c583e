//! The 64-bit FNV-1a hash.
//!
//! Source: <http://www.isthe.com/chongo/tech/comp/fnv/>.

/// A hash of all bytes written so far. It is the same in every build and on every processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fnv1a(u64);

impl Fnv1a {
    pub const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub const fn finish(self) -> u64 {
        self.0
    }

    /// The hash of these bytes alone.
    pub fn hash(bytes: &[u8]) -> u64 {
        let mut hash = Self::new();
        hash.write(bytes);
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv1a;

    #[test]
    fn hashes_are_those_of_the_source() {
        assert_eq!(Fnv1a::hash(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Fnv1a::hash(b"foobar"), 0x8594_4171_F739_67E8);
    }
}
