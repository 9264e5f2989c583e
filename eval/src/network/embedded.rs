//! The network inside the program.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::parameters::Network;

impl Network {
    /// The network inside the program, trained on its own games (`docs/network.md`).
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| {
            let network = Network::from_bytes(include_bytes!("tamarin.net"));
            Arc::new(network.expect("invariant: a test reads this network"))
        });
        Arc::clone(&EMBEDDED)
    }
}

#[cfg(test)]
mod tests {
    use super::Network;
    use tamarin_movegen::Position;

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
