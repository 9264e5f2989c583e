//! The positions of a training: where they are kept, and how they are found again.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::load::{Source, Summary, Validation, most_for_validation};
use super::method::Scores;
use super::parts::{Content, Dealer, Parts};
use super::positions::Positions;
use crate::data::Filter;
use crate::error::Result;
use crate::saved::{Checkpoint, agree};

pub struct Data {
    pub positions: Positions,
    pub validation: Validation,
    pub summary: Summary,
    /// What says that the files of positions are complete.
    dealt: Option<Checkpoint<DealRecipe>>,
}

/// All that the content of files of positions depends on, besides the games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct DealRecipe {
    filter: Filter,
    scores: Scores,
    random_plies: u32,
    mean_of: u16,
    seed: u64,
    parts: usize,
}

#[derive(Serialize, Deserialize)]
struct Dealt {
    summary: Summary,
    parts: Vec<Content>,
}

impl Data {
    /// Loads the positions, or deals them out to files if memory is limited and they may not fit. If
    /// an interrupted training has left such files, complete ones are used again.
    /// `out` is the network to be trained, `memory` the limit in MiB.
    pub fn load(source: &Source<'_>, out: &Path, memory: Option<u64>) -> Result<Self> {
        let most = memory.map_or(usize::MAX, most_for_validation);
        let parts = memory.map_or(Ok(0), |mib| source.parts(mib))?;
        if parts > 0 {
            return Self::deal(source, out, most, parts);
        }
        let mut records = Vec::new();
        let take = |mut more| {
            records.append(&mut more);
            Ok(())
        };
        let (validation, summary) = source.load(most, take)?;
        Ok(Self { positions: Positions::Memory(records), validation, summary, dealt: None })
    }

    fn deal(source: &Source<'_>, out: &Path, most: usize, parts: usize) -> Result<Self> {
        let Source { method, filter, .. } = *source;
        let recipe = DealRecipe {
            filter: *filter,
            scores: method.scores,
            random_plies: method.random_plies,
            mean_of: method.mean_of,
            seed: method.seed,
            parts,
        };
        let dealt = Checkpoint::beside(out, ".positions.json", recipe);
        let (validation, summary, parts) = if let Some(before) = dealt.read::<Dealt>()? {
            let (validation, summary) = source.load(most, |_| Ok(()))?;
            let summary = Summary { parts, ..summary };
            agree(dealt.path(), "summary of games", &before.summary, &summary)?;
            (validation, summary, Parts { out: out.to_owned(), contents: before.parts })
        } else {
            let mut dealer = Dealer::new(out, parts, method.seed)?;
            let take = |records: Vec<_>| dealer.deal(&records);
            let (validation, summary) = source.load(most, take)?;
            let summary = Summary { parts, ..summary };
            let files = dealer.finish()?;
            dealt.write(&Dealt { summary, parts: files.contents.clone() })?;
            (validation, summary, files)
        };
        Ok(Self { positions: Positions::Disk(parts), validation, summary, dealt: Some(dealt) })
    }

    /// Removes the files of positions: the training is at its end.
    pub fn remove(&self) {
        if let (Some(dealt), Positions::Disk(parts)) = (&self.dealt, &self.positions) {
            dealt.remove();
            parts.remove();
        }
    }
}
