//! Files of networks, by another hand.

/// Neurons of the test network.
pub const WIDTH: usize = 32;

/// The file of a network to which nothing counts but queens: a queen adds 100 of 255 to the first
/// neuron of its side, the neuron of the side to move has the weight 1, the other one -1. The other
/// neurons are there to take memory.
///
/// A queen ahead is worth (100 / 255) ^ 2 * 200 = 30.8 units.
pub fn queens(width: usize) -> Vec<u8> {
    let mut features = vec![0_i16; 768 * width];
    for own_queen in features.chunks_mut(width).skip(4 * 64).take(64) {
        own_queen[0] = 100;
    }
    let biases = vec![0; width];
    let mut output = vec![0_i16; 2 * width];
    (output[0], output[width]) = (64, -64);
    let description = b"nothing but queens";
    let mut bytes = b"TAMARNET".to_vec();
    for field in [1, width, 1, description.len()] {
        bytes.extend(u16::try_from(field).expect("a small number").to_le_bytes());
    }
    bytes.extend(description);
    let shorts = features.iter().chain(&biases).chain(&output);
    bytes.extend(shorts.flat_map(|short| short.to_le_bytes()));
    bytes.extend(0_i32.to_le_bytes());
    signed(bytes)
}

/// The bytes with their FNV-1a hash.
pub fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in &bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    }
    bytes.extend(hash.to_le_bytes());
    bytes
}
