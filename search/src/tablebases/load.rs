//! Loading: finds the tables of a list of folders and leaves out what is no sound table.

use core::fmt;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::{Bitboard, CastlingMode, Chess, Color, Role, Setup, Square};
use shakmaty_syzygy::{Metric, Syzygy, Tablebase};

use super::files::{TableFiles, raise_file_limit};
use super::material::{MaterialKey, metric};
use super::tables::Tablebases;

/// Files with more pieces than this are only looked at when they are needed: there are
/// hundreds of them, often on slow disks.
const CHECKED_PIECES: usize = 5;

/// Positions that a table is tried with when it is loaded.
const TRIED_POSITIONS: usize = 16;

/// Skipped files that are named in a message, at most.
const NAMED: usize = 20;

/// Why a file or folder was left out.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseProblem {
    /// The system does not let it be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It is named like a table and is a folder or a device.
    #[error("not a file")]
    NotAFile,
    /// Tables have 16 bytes after a multiple of 64.
    #[error("{0} bytes is not the size of a table")]
    Size(u64),
    /// It does not begin like a table of its kind.
    #[error("not a table by its first bytes")]
    Magic,
    /// It cannot be decoded.
    #[error("damaged")]
    Damaged,
}

/// A file or folder that was left out.
#[derive(Debug)]
pub struct LeftOut {
    /// Where it is.
    pub path: PathBuf,
    /// Why it was left out.
    pub problem: TablebaseProblem,
}

/// `KQvK.rtbw (damaged)`
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.path.display(), self.problem)
    }
}

/// What was found in a list of folders.
#[derive(Debug, Default)]
pub struct TablebaseReport {
    /// How many win/draw/loss tables there are.
    pub wdl: usize,
    /// How many distance-to-zeroing tables there are.
    pub dtz: usize,
    /// The greatest number of pieces of a table.
    pub pieces: usize,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
}

impl TablebaseReport {
    /// Which files and folders were left out and why, for people; `None` if none was.
    pub fn left_out_text(&self) -> Option<String> {
        let names = self.left_out.iter().take(NAMED).map(ToString::to_string);
        let mut text = format!("tablebases left out: {}", names.collect::<Vec<_>>().join(", "));
        if let Some(more) = self.left_out.len().checked_sub(NAMED).filter(|&more| more > 0) {
            text.push_str(&format!(" and {more} more"));
        }
        (!self.left_out.is_empty()).then_some(text)
    }
}

/// `found 70 tablebases: 35 WDL, 35 DTZ, up to 4 pieces`
impl fmt::Display for TablebaseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wdl, dtz, pieces, .. } = self;
        write!(f, "found {} tablebases", wdl + dtz)?;
        if wdl + dtz == 0 {
            return Ok(());
        }
        write!(f, ": {wdl} WDL, {dtz} DTZ, up to {pieces} pieces")
    }
}

impl Tablebases {
    /// Loads the tables of all folders in `path`, which the platform's separator divides (`:`, or
    /// `;` on Windows). Of two files for the same pieces the first sound one counts. Files and
    /// folders that cannot be used are left out and reported.
    pub fn load(path: &str) -> (Self, TablebaseReport) {
        let mut loader = Loader::default();
        for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
            loader.add_folder(&folder);
        }
        loader.finish()
    }
}

/// What identifies a table.
type TableKey = (Metric, MaterialKey);

#[derive(Default)]
struct Loader {
    paths: HashMap<TableKey, PathBuf>,
    /// Later files of tables that are there, in their order.
    spares: HashMap<TableKey, Vec<PathBuf>>,
    left_out: Vec<LeftOut>,
}

impl Loader {
    fn add_folder(&mut self, folder: &Path) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.leave_out(folder, error.into()),
        };
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort_unstable();
        for file in files {
            self.add_file(file);
        }
    }

    /// Adds a file whose name is that of a table; ignores others.
    fn add_file(&mut self, path: PathBuf) {
        let text = |part: Option<&std::ffi::OsStr>| Some(part?.to_str()?.to_owned());
        let Some(metric) = text(path.extension()).and_then(|text| metric(&text)) else { return };
        let name = text(path.file_stem());
        let Some(key) = name.and_then(|name| MaterialKey::from_name(&name)) else { return };
        self.add_table((metric, key), path);
    }

    fn add_table(&mut self, key: TableKey, path: PathBuf) {
        if self.paths.contains_key(&key) {
            self.spares.entry(key).or_default().push(path);
            return;
        }
        match check_file(&path, key.0, key.1.pieces()) {
            Ok(()) => {
                self.paths.insert(key, path);
            }
            Err(problem) => self.leave_out(&path, problem),
        }
    }

    /// Leaves damaged files out; `true` if there is another file for any of their tables.
    fn replace(&mut self, damaged: &[PathBuf]) -> bool {
        let is_damaged = |path: &PathBuf| damaged.contains(path);
        let keys: Vec<_> = self.paths.extract_if(|_, path| is_damaged(path)).collect();
        for path in damaged {
            self.leave_out(path, TablebaseProblem::Damaged);
        }
        let mut is_replaced = false;
        for (key, _) in keys {
            for path in self.spares.remove(&key).unwrap_or_default() {
                self.add_table(key.clone(), path);
            }
            is_replaced |= self.paths.contains_key(&key);
        }
        is_replaced
    }

    fn leave_out(&mut self, path: &Path, problem: TablebaseProblem) {
        self.left_out.push(LeftOut { path: path.to_path_buf(), problem });
    }

    fn finish(mut self) -> (Tablebases, TablebaseReport) {
        if !self.paths.is_empty() {
            raise_file_limit();
        }
        let mut tables = self.open();
        let mut is_new = true;
        while is_new {
            tables.try_tables();
            let damaged = tables.take_damaged();
            is_new = self.replace(&damaged);
            if !damaged.is_empty() {
                // Without anything that the damaged ones have left in memory.
                tables = self.open();
            }
        }
        self.left_out.sort_by(|a, b| a.path.cmp(&b.path));
        let count = |wanted| tables.paths.keys().filter(|(metric, _)| *metric == wanted).count();
        let report = TablebaseReport {
            wdl: count(Metric::Wdl),
            dtz: count(Metric::Dtz),
            pieces: tables.paths.keys().map(|(_, key)| key.pieces()).max().unwrap_or(0),
            left_out: self.left_out,
        };
        (tables, report)
    }

    /// The tables that the library takes; the others are left out.
    fn open(&mut self) -> Tablebases {
        let files = Arc::new(TableFiles::default());
        let mut library = Tablebase::with_filesystem(Arc::clone(&files) as Arc<_>);
        let mut refused = Vec::new();
        self.paths.retain(|_, path| match library.add_file(&*path) {
            Ok(()) => true,
            Err(error) => {
                refused.push(LeftOut { path: path.clone(), problem: error.into() });
                false
            }
        });
        self.left_out.extend(refused);
        Tablebases::new(library, files, self.paths.clone())
    }
}

/// Whether a file may be a table: its size and, if it has few pieces, its first bytes.
fn check_file(path: &Path, metric: Metric, pieces: usize) -> Result<(), TablebaseProblem> {
    let about = path.metadata()?;
    if !about.is_file() {
        return Err(TablebaseProblem::NotAFile);
    }
    if about.len() % 64 != 16 {
        return Err(TablebaseProblem::Size(about.len()));
    }
    if pieces > CHECKED_PIECES {
        return Ok(());
    }
    let mut magic = [0; 4];
    File::open(path)?.read_exact(&mut magic)?;
    let expected = match metric {
        Metric::Wdl => Chess::TBW.magic,
        Metric::Dtz => Chess::TBZ.magic,
    };
    if magic == expected { Ok(()) } else { Err(TablebaseProblem::Magic) }
}

impl Tablebases {
    /// Probes some positions of each table with few pieces, so that damaged headers are found
    /// now and not in a game.
    fn try_tables(&self) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
        for (metric, key) in self.paths.keys() {
            if *metric == Metric::Wdl && key.pieces() <= CHECKED_PIECES {
                for _ in 0..TRIED_POSITIONS {
                    if let Some(chess) = random_position(key, &mut random) {
                        let _ = self.probe(&chess, |library| library.probe_dtz(&chess));
                    }
                }
            }
        }
    }
}

/// A position with the pieces on random squares; `None` if it is not legal.
pub(super) fn random_position(key: &MaterialKey, random: &mut impl Rng) -> Option<Chess> {
    let mut setup = Setup::empty();
    for piece in key.iter() {
        let square = Square::new(random.next_u32() % 64);
        let on_back_rank = Bitboard::BACKRANKS.contains(square);
        if setup.board.piece_at(square).is_some() || (piece.role == Role::Pawn && on_back_rank) {
            return None;
        }
        setup.board.set_piece_at(square, piece);
    }
    setup.turn = Color::from_white(random.next_u32().is_multiple_of(2));
    setup.position(CastlingMode::Standard).ok()
}
