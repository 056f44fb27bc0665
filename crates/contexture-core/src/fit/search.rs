//! Finds how much a budget takes: lines of a text, tokens of a path.

/// A number that fits, not below `fits`, which does, and below `over`, which does not; one more does not fit.
///
/// A document may become smaller by a step: a full text has no label. So it is not enough to find any such number, or more
/// budget could end at fewer steps. The places that are looked at depend on what was found there, never on the budget
/// itself: where two budgets part, the larger one goes on behind the place that only it fits, and stays there.
pub fn climb(mut fits: u64, mut over: u64, mut measure: impl FnMut(u64) -> bool) -> u64 {
    while over - fits > 1 {
        let middle = fits + (over - fits) / 2;
        if measure(middle) {
            fits = middle;
        } else {
            over = middle;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_step_that_fits_is_found_and_more_budget_never_finds_an_earlier_one(
            sizes in prop::collection::vec(0u64..100, 1..200),
            budgets in prop::collection::vec(0u64..110, 1..20),
        ) {
            let mut budgets = budgets;
            budgets.sort_unstable();
            let mut last = 0;
            for budget in budgets {
                let mut asked = 0;
                // Sizes go up and down; the place behind the last is never looked at.
                let found = climb(0, sizes.len() as u64, |at| { asked += 1; sizes[at as usize] <= budget }) as usize;
                prop_assert!(found == 0 || sizes[found] <= budget);
                prop_assert!(found + 1 == sizes.len() || sizes[found + 1] > budget);
                prop_assert!(found >= last);
                prop_assert!(asked <= 8, "{}", asked);
                last = found;
            }
        }
    }
}
