//! A hash that is the same in every build and on every processor.

/// The 64-bit FNV-1a hash of all bytes written so far.
///
/// Source: <http://www.isthe.com/chongo/tech/comp/fnv/>.
#[derive(Clone, Copy, Debug)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv1a {
    /// The hash of these bytes alone.
    ///
    /// ```
    /// assert_eq!(tamarin_base::Fnv1a::hash(b"foobar"), 0x8594_4171_F739_67E8);
    /// ```
    pub fn hash(bytes: &[u8]) -> u64 {
        let mut hash = Self::default();
        hash.write(bytes);
        hash.finish()
    }

    /// Adds bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// The hash of what was written.
    pub const fn finish(self) -> u64 {
        self.0
    }
}
