//! Reading `info` lines strictly: anything that a strict client would misread is a failure.

/// A score as printed, the side to move's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns.
    Cp(i64),
    /// Moves to mate; negative or zero when the side to move is mated.
    Mate(i64),
}

impl Default for Score {
    fn default() -> Self {
        Self::Cp(0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Bound {
    #[default]
    Exact,
    Lower,
    Upper,
}

/// One `info` line with a score.
#[derive(Clone, Default, Debug)]
pub struct Info {
    pub depth: i64,
    pub seldepth: Option<i64>,
    pub multipv: Option<i64>,
    pub score: Score,
    pub bound: Bound,
    pub wdl: Option<[i64; 3]>,
    pub nodes: Option<i64>,
    pub nps: Option<i64>,
    pub hashfull: Option<i64>,
    pub tbhits: Option<i64>,
    pub time: Option<i64>,
    pub pv: Vec<String>,
    pub text: String,
}

impl Info {
    /// The line's content when it is an `info` line with a score.
    ///
    /// # Panics
    /// If the line is one but not as the protocol wants it.
    pub fn parse(text: &str) -> Option<Self> {
        if text.starts_with("info string") {
            return None;
        }
        let mut words = text.strip_prefix("info ")?.split(' ').peekable();
        text.contains(" score ").then_some(())?;
        let mut info = Self { text: text.to_owned(), ..Self::default() };
        let mut depth = None;
        while let Some(key) = words.next() {
            let mut number = || -> i64 {
                let word = words.next().unwrap_or_else(|| panic!("{key} without value: {text:?}"));
                word.parse().unwrap_or_else(|_| panic!("{key} is {word:?} in {text:?}"))
            };
            match key {
                "depth" => depth = Some(number()),
                "seldepth" => info.seldepth = Some(number()),
                "multipv" => info.multipv = Some(number()),
                "nodes" => info.nodes = Some(number()),
                "nps" => info.nps = Some(number()),
                "hashfull" => info.hashfull = Some(number()),
                "tbhits" => info.tbhits = Some(number()),
                "time" => info.time = Some(number()),
                "wdl" => info.wdl = Some([number(), number(), number()]),
                "score" => {
                    let kind = words.next();
                    let word = words.next().unwrap_or_default();
                    let value = word.parse().unwrap_or_else(|_| panic!("score in {text:?}"));
                    info.score = match kind {
                        Some("cp") => Score::Cp(value),
                        Some("mate") => Score::Mate(value),
                        _ => panic!("score neither cp nor mate in {text:?}"),
                    };
                    info.bound = match words.peek() {
                        Some(&"lowerbound") => Bound::Lower,
                        Some(&"upperbound") => Bound::Upper,
                        _ => Bound::Exact,
                    };
                    if info.bound != Bound::Exact {
                        words.next();
                    }
                }
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                other => panic!("unknown word {other:?} in {text:?}"),
            }
        }
        info.depth = depth.unwrap_or_else(|| panic!("no depth in {text:?}"));
        Some(info)
    }

    /// The line without what the clock decides: for comparing two runs.
    pub fn timeless(&self) -> String {
        let mut words: Vec<&str> = Vec::new();
        let mut source = self.text.split(' ');
        while let Some(word) = source.next() {
            if matches!(word, "time" | "nps") {
                source.next();
            } else {
                words.push(word);
            }
        }
        words.join(" ")
    }
}
