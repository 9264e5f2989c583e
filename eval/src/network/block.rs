//! Blocks: 32 numbers side by side, the unit of every loop of the network.

/// Numbers in a block.
pub(super) const LANES: usize = 32;

/// 32 numbers at an address that no load of a vector splits over two cache lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; LANES]);

/// Numbers as blocks; what does not fill a block is left out.
pub(super) fn blocks(numbers: &[i16]) -> Box<[Block]> {
    numbers.as_chunks().0.iter().map(|&chunk| Block(chunk)).collect()
}

/// The numbers of blocks.
pub(super) fn numbers(blocks: &[Block]) -> impl Iterator<Item = i16> + '_ {
    blocks.iter().flat_map(|block| block.0)
}
