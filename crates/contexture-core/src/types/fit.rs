//! How a budget was used: what was taken last, what would come next, and what speaks for one item.

/// What fitting to a budget came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fit {
    /// What the choice is worth, and what no choice within the budget can exceed.
    pub value: f64,
    pub bound: f64,
    /// Whether there is a task and no word of it occurs in the project: files are then ordered by importance.
    pub is_unmatched: bool,
    /// What would go first if there were less room, the first to go first.
    pub last: Vec<FitMove>,
    /// What would come next if there were more.
    pub next: Vec<FitMove>,
    /// Of the file that [`Options::explain`](crate::Options::explain) names.
    pub explained: Option<Explained>,
}

impl Fit {
    /// How near the choice comes to what no choice can beat.
    pub fn share(&self) -> f64 {
        if self.bound > 0.0 { self.value / self.bound } else { 1.0 }
    }
}

/// One step up or down: more or less of an item is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct FitMove {
    pub path: String,
    /// The symbol it is about, by its qualified name.
    pub symbol: Option<String>,
    /// What it shows: `name`, `signature`, `hunks`, `brief`, `whole`, `skeleton`, `full`, `summary`, `outline`.
    pub what: &'static str,
    /// What the step costs.
    pub tokens: u64,
    /// Its gain for each token, where the last step that was taken has 1.
    pub worth: f64,
}

/// What speaks for an item and its symbols.
#[derive(Clone, PartialEq, Debug)]
pub struct Explained {
    pub path: String,
    /// Its place among the items that the budget decides about, from 1.
    pub rank: u32,
    /// How many such items there are.
    pub of: u32,
    /// That the task needs it, from 0 to 1.
    pub probability: f64,
    /// What was added up, the largest first.
    pub parts: Vec<(&'static str, f64)>,
    /// Its best symbol and the place of that among all symbols: a file is also needed for what is in it.
    pub best: Option<String>,
    /// The most probable first.
    pub symbols: Vec<ExplainedSymbol>,
    /// The next step up.
    pub up: Option<FitMove>,
}

/// What speaks for one symbol of an explained file, and what the next step up would cost.
#[derive(Clone, PartialEq, Debug)]
pub struct ExplainedSymbol {
    pub qualified: String,
    /// `hidden`, `signature`, `hunks`, `brief` or `whole`.
    pub shown: &'static str,
    pub probability: f64,
    /// What was added up, the largest first.
    pub parts: Vec<(&'static str, f64)>,
    /// The qualified name of the most probable shown symbol that calls it.
    pub called_by: Option<String>,
    /// The next step up.
    pub up: Option<FitMove>,
}
