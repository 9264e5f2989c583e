//! A range coder of 32 bits whose encoder and decoder are driven by the same models.
//!
//! Source: G. N. N. Martin, "Range encoding", 1979; the carry as in LZMA's encoder.

/// Below this width the coder shifts out a byte.
const LEAST_RANGE: u32 = 1 << 24;

/// Chances are in this number of parts.
pub const PARTS: u32 = 1 << 16;

/// Encodes what it is given, or gives what it decodes: a model calls it the same way for both.
pub trait Coder {
    /// Encodes the symbol `index`, or decodes one, and gives it. `frequencies` has at least 1 for
    /// each symbol and [`PARTS`] at most in all.
    fn symbol(&mut self, frequencies: &[u32], index: usize) -> usize;

    /// Encodes `bit`, or decodes one, and gives it; it is set in `chance` of [`PARTS`], neither 0
    /// nor all.
    fn bit(&mut self, chance: u32, bit: bool) -> bool;
}

pub struct Encoder {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    /// The last byte that a carry can still reach, and how many bytes of 255 follow it.
    last: u8,
    full: u64,
}

impl Encoder {
    pub const fn new() -> Self {
        // The first byte out is always zero; `finish` leaves it out.
        Self { bytes: Vec::new(), low: 0, range: u32::MAX, last: 0, full: 0 }
    }

    /// Bytes so far, the last few not counted.
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn finish(mut self) -> Vec<u8> {
        // All of `low`, and the byte that waits for a carry.
        for _ in 0..5 {
            self.shift();
        }
        self.bytes.split_off(1)
    }

    fn narrow(&mut self, below: u32, size: u32) {
        self.low += u64::from(below);
        self.range = size;
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Moves the highest byte of `low` out, unless a carry can still change it.
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let byte = (self.low >> 24) as u8;
        if byte == u8::MAX && carry == 0 {
            self.full += 1;
        } else {
            self.bytes.push(self.last.wrapping_add(carry));
            for _ in 0..core::mem::take(&mut self.full) {
                self.bytes.push(u8::MAX.wrapping_add(carry));
            }
            self.last = byte;
        }
        self.low = self.low << 8 & 0xFFFF_FFFF;
    }
}

impl Coder for Encoder {
    fn symbol(&mut self, frequencies: &[u32], index: usize) -> usize {
        let unit = self.range / frequencies.iter().sum::<u32>();
        let below: u32 = frequencies[..index].iter().sum();
        self.narrow(unit * below, unit * frequencies[index]);
        index
    }

    fn bit(&mut self, chance: u32, bit: bool) -> bool {
        let set = self.range / PARTS * chance;
        let (below, size) = if bit { (0, set) } else { (set, self.range - set) };
        self.narrow(below, size);
        bit
    }
}

/// Reads zeros behind the end of its bytes.
pub struct Decoder {
    bytes: std::vec::IntoIter<u8>,
    code: u32,
    range: u32,
}

impl Decoder {
    pub fn new(bytes: Vec<u8>) -> Self {
        let mut decoder = Self { bytes: bytes.into_iter(), code: 0, range: u32::MAX };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().unwrap_or(0));
    }

    fn narrow(&mut self, below: u32, size: u32) {
        // Damaged bytes can point behind all symbols.
        self.code = self.code.saturating_sub(below);
        self.range = size;
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
    }
}

impl Coder for Decoder {
    fn symbol(&mut self, frequencies: &[u32], _: usize) -> usize {
        let unit = self.range / frequencies.iter().sum::<u32>();
        let place = self.code / unit;
        let (mut index, mut below) = (0, 0);
        while index + 1 < frequencies.len() && below + frequencies[index] <= place {
            below += frequencies[index];
            index += 1;
        }
        self.narrow(unit * below, unit * frequencies[index]);
        index
    }

    fn bit(&mut self, chance: u32, _: bool) -> bool {
        let set = self.range / PARTS * chance;
        let bit = self.code < set;
        let (below, size) = if bit { (0, set) } else { (set, self.range - set) };
        self.narrow(below, size);
        bit
    }
}

/// The chance of a bit, learned while coding: the mean of a fast and a slow average.
#[derive(Clone, Copy)]
pub struct Bit {
    fast: u16,
    slow: u16,
}

impl Bit {
    pub const NEW: Self = Self { fast: 1 << 15, slow: 1 << 15 };

    pub fn code(&mut self, coder: &mut impl Coder, bit: bool) -> bool {
        /// A bit costs a thousandth of a bit at least.
        const LEAST: u32 = 48;
        let chance = (u32::from(self.fast) + u32::from(self.slow)) / 2;
        let bit = coder.bit(chance.clamp(LEAST, PARTS - LEAST), bit);
        for (average, rate) in [(&mut self.fast, 5), (&mut self.slow, 8)] {
            if bit {
                *average += (u16::MAX - *average) >> rate;
            } else {
                *average -= *average >> rate;
            }
        }
        bit
    }
}

/// Learned chances of symbols, by how often each came.
#[derive(Clone)]
pub struct Counts<const N: usize>([u32; N]);

impl<const N: usize> Counts<N> {
    pub const NEW: Self = Self([1; N]);

    pub fn code(&mut self, coder: &mut impl Coder, symbol: usize) -> usize {
        const STEP: u32 = 24;
        let symbol = coder.symbol(&self.0, symbol);
        self.0[symbol] += STEP;
        if self.0.iter().sum::<u32>() > PARTS - STEP {
            self.0.iter_mut().for_each(|count| *count = count.div_ceil(2));
        }
        symbol
    }
}

/// A whole number from 0 on: a learned bit for each step below [`Self::STEPS`], then the length of
/// the rest in bits, and the rest.
#[derive(Clone)]
pub struct Number {
    steps: [Bit; Self::STEPS as usize],
    length: [Bit; 17],
    rest: [Bit; 16],
}

impl Number {
    const STEPS: u32 = 24;
    pub const NEW: Self = Self {
        steps: [Bit::NEW; Self::STEPS as usize],
        length: [Bit::NEW; 17],
        rest: [Bit::NEW; 16],
    };

    /// The greatest number is 65,558.
    pub fn code(&mut self, coder: &mut impl Coder, number: u32) -> u32 {
        for step in 0..Self::STEPS {
            if !self.steps[step as usize].code(coder, number > step) {
                return step;
            }
        }
        let rest = number.wrapping_sub(Self::STEPS);
        let mut length = 0;
        while length < 16 && self.length[length].code(coder, rest >> length > 0) {
            length += 1;
        }
        // The highest bit is set.
        let mut decoded = u32::from(length > 0);
        for at in (0..length.saturating_sub(1)).rev() {
            decoded = decoded << 1 | u32::from(self.rest[at].code(coder, rest >> at & 1 == 1));
        }
        decoded + Self::STEPS
    }
}
