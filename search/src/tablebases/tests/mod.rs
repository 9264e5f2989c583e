//! Tests of the tablebases, most of them with tables from outside the repository.

mod damage;
mod search;
mod truth;

use std::path::PathBuf;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;
use tamarin_movegen::Position;

use super::load::random_position;
use super::material::MaterialKey;
use super::{Tablebases, Wdl};

/// A file or folder of the outside data, or a line that says what is missing.
fn data(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("TAMARIN_TEST_DATA").map(|folder| PathBuf::from(folder).join(name));
    let found = path.filter(|path| path.exists());
    if found.is_none() {
        println!("SKIP 1: no {name} where TAMARIN_TEST_DATA says");
    }
    found
}

/// All tables of the outside data.
fn tables() -> Option<Tablebases> {
    let folder = data("syzygy")?;
    let (tables, report) = Tablebases::load(folder.to_str().unwrap());
    assert!(report.left_out.is_empty(), "{:?}", report.left_out);
    assert_eq!((report.wdl, report.dtz, report.pieces), (35, 35, 4));
    Some(tables)
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Random legal positions of the tables with a number of pieces, all material in turn.
struct RandomPositions {
    materials: Vec<MaterialKey>,
    next: usize,
    random: Xoshiro256PlusPlus,
}

impl RandomPositions {
    fn new(tables: &Tablebases, pieces: usize, seed: u64) -> Self {
        let keys = tables.paths.keys().map(|(_, key)| key.clone());
        let mut materials: Vec<_> = keys.filter(|key| key.pieces() == pieces).collect();
        materials.sort_by_key(|key| format!("{key:?}"));
        materials.dedup();
        Self::of_materials(&materials, seed)
    }

    fn of_materials(materials: &[MaterialKey], seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { materials: materials.to_vec(), next: 0, random }
    }

    /// A position of the next material.
    fn any(&mut self) -> Position {
        loop {
            self.next += 1;
            let material = &self.materials[self.next % self.materials.len()];
            if let Some(chess) = random_position(material, &mut self.random) {
                let fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
                return position(&fen);
            }
        }
    }

    /// A position with legal moves and of this value, or of any.
    fn of(&mut self, tables: &Tablebases, wanted: Option<Wdl>) -> Position {
        loop {
            let position = self.any();
            let value = tables.wdl(&position).unwrap_or_else(|| panic!("no value of {position}"));
            if position.has_legal_move() && wanted.is_none_or(|wanted| wanted == value) {
                return position;
            }
        }
    }
}
