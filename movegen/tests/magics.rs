//! The committed magic factors are those that the tool in `examples` finds.

#[path = "../examples/find_magics.rs"]
mod find_magics;

use tamarin_movegen::Square;
use tamarin_movegen::magic::{Slider, factor};

#[test]
fn the_tool_finds_the_committed_factors() {
    for slider in [Slider::Bishop, Slider::Rook] {
        let found = find_magics::find(slider);
        for square in Square::ALL {
            assert_eq!(found[square.index()], factor(slider, square), "{slider:?} on {square}");
        }
    }
}
