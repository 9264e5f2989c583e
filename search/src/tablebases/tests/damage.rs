//! Files that are no sound tables: left out and reported, never fatal.

use std::fs;
use std::path::{Path, PathBuf};

use super::{data, position};
use crate::tablebases::{TablebaseProblem, Tablebases, Wdl};

/// A folder of our own, removed at the end.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// With the given tables of the outside data.
    pub fn new(name: &str, tables: &[&str]) -> Option<Self> {
        let source = data("syzygy")?;
        let path = std::env::temp_dir().join(format!("tamarin-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        for table in tables {
            fs::write(path.join(table), fs::read(source.join(table)).unwrap()).unwrap();
        }
        Some(Self(path))
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }

    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub fn load(&self) -> (Tablebases, Vec<(String, TablebaseProblem)>) {
        let (tables, report) = Tablebases::load(self.path());
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let left_out = report.left_out.into_iter().map(|one| (name(&one.path), one.problem));
        (tables, left_out.collect())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const QUEEN: &str = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
const ROOK: &str = "4k3/8/8/8/8/8/8/3RK3 w - - 0 1";

#[test]
fn files_that_are_no_tables_are_left_out_and_the_others_used() {
    let whole = ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"];
    let Some(folder) = Folder::new("damage", &whole) else { return };
    let good = folder.read("KQvK.rtbw");
    let problem = |bytes: &[u8]| {
        folder.write("KQvK.rtbw", bytes);
        let (tables, mut left_out) = folder.load();
        assert_eq!(tables.wdl(&position(ROOK)), Some(Wdl::Win));
        assert_eq!(tables.wdl(&position(QUEEN)), None, "a table that was left out");
        assert_eq!(left_out.len(), 1, "{left_out:?}");
        let (name, problem) = left_out.pop().unwrap();
        assert_eq!(name, "KQvK.rtbw");
        problem
    };
    assert!(matches!(problem(b""), TablebaseProblem::Size(0)));
    assert!(matches!(problem(&good[..100]), TablebaseProblem::Size(100)));
    assert!(matches!(problem(&good[..80]), TablebaseProblem::Damaged));
    assert!(matches!(
        problem(
            b"This is a text of 80 bytes, which is a size that a table may have, and no table."
        ),
        TablebaseProblem::Magic
    ));
    assert!(matches!(problem(&folder.read("KQvK.rtbz")[..208]), TablebaseProblem::Magic));
    let mut zeros = vec![0; 272];
    zeros[..4].copy_from_slice(&good[..4]);
    assert!(matches!(problem(&zeros), TablebaseProblem::Damaged));
    fs::remove_file(folder.0.join("KQvK.rtbw")).unwrap();
    fs::create_dir(folder.0.join("KQvK.rtbw")).unwrap();
    let (_, left_out) = folder.load();
    assert!(matches!(left_out[..], [(_, TablebaseProblem::NotAFile)]), "{left_out:?}");
}

#[test]
fn other_files_are_ignored_and_missing_folders_reported() {
    let Some(folder) = Folder::new("foreign", &["KQvK.rtbw"]) else { return };
    for name in ["README.txt", "KQvK.rtbw.part", "v.rtbw", "QvK.rtbw", "KKvK.rtbw", "KQvK.gtb"] {
        folder.write(name, b"text");
    }
    folder.write("KQQQvKQQQ.rtbw", b"more than seven pieces");
    let (tables, left_out) = folder.load();
    assert!(left_out.is_empty(), "{left_out:?}");
    assert_eq!((tables.pieces(), tables.wdl(&position(QUEEN))), (3, Some(Wdl::Win)));
    assert_eq!(tables.dtz(&position(QUEEN)), None, "there is no DTZ table");

    let missing = folder.0.join("missing");
    let paths = ["", missing.to_str().unwrap(), folder.0.to_str().unwrap(), ""];
    let path = std::env::join_paths(paths).unwrap();
    let (tables, report) = Tablebases::load(path.to_str().unwrap());
    assert_eq!(tables.pieces(), 3);
    assert_eq!(report.to_string(), "found 1 tablebases: 1 WDL, 0 DTZ, up to 3 pieces");
    let text = report.left_out_text().unwrap();
    assert!(text.contains("missing (") && report.left_out.len() == 1, "{text}");
    let (tables, report) = Tablebases::load("");
    assert_eq!((tables.pieces(), report.left_out.len()), (0, 0));
}

/// Of a table that is damaged behind its first bytes the file of the next folder is taken.
#[test]
fn the_sound_file_of_a_later_folder_takes_the_place_of_a_damaged_one() {
    let names = ["KQvK.rtbw", "KQvK.rtbz"];
    let Some(first) = Folder::new("spare-1", &names) else { return };
    let Some(second) = Folder::new("spare-2", &names) else { return };
    for name in names {
        let mut bytes = first.read(name);
        bytes[4..].fill(0xff);
        first.write(name, &bytes);
    }
    let load = |folders: &[&Folder]| {
        let paths = folders.iter().map(|folder| folder.path());
        let path = std::env::join_paths(paths).unwrap();
        Tablebases::load(path.to_str().unwrap())
    };
    let (_, alone) = load(&[&first]);
    assert!(alone.wdl < 1 || alone.dtz < 1, "{alone}");
    let (tables, report) = load(&[&first, &second]);
    assert_eq!((report.wdl, report.dtz), (1, 1));
    assert_eq!(report.left_out.len(), 2);
    assert!(report.left_out.iter().all(|one| one.path.starts_with(first.path())));
    assert_eq!(tables.wdl(&position(QUEEN)), Some(Wdl::Win));
}

/// A table that turns out damaged in a probe is reported once and left out from then on; the
/// tables of which it is no part stay.
#[test]
fn damage_found_by_a_probe_is_reported_once() {
    let Some(folder) = Folder::new("probe", &["KQvK.rtbw", "KRvK.rtbw"]) else { return };
    let (tables, left_out) = folder.load();
    assert!(left_out.is_empty());
    let key = crate::tablebases::material::MaterialKey::from_name("KQvK");
    tables.leave_out(key.clone().map(|key| (shakmaty_syzygy::Metric::Wdl, key)));
    for _ in 0..3 {
        assert_eq!(tables.wdl(&position(QUEEN)), None);
        assert_eq!(tables.wdl(&position(ROOK)), Some(Wdl::Win));
    }
    assert_eq!(tables.take_damaged(), [folder.0.join("KQvK.rtbw")]);
    assert!(tables.take_damaged().is_empty());
    assert_eq!(tables.wdl(&position(QUEEN)), None);
    assert!(tables.take_damaged().is_empty());
}
