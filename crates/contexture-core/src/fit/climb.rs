//! Finds how many steps of the one order a budget takes.

/// The most steps whose document is within the budget. `costs` are estimates of the first step, of the first two, and so
/// on, only used to guess well; what counts is what `measure` says of the document after so many steps. The floor, with no
/// step taken, is known to fit and measures `floor`.
pub fn climb(costs: &[f64], floor: u64, budget: u64, mut measure: impl FnMut(usize) -> u64) -> usize {
    let (mut fits, mut over) = (0, costs.len() + 1);
    // Real tokens for each that was estimated.
    let mut ratio = 1.0f64;
    let mut guesses = 0;
    while fits + 1 < over {
        let room = budget.saturating_sub(floor) as f64 / ratio;
        let guess = match guesses {
            // Estimates are off by a factor that is much the same everywhere, so a few guesses come close.
            0..=5 => costs.partition_point(|cost| *cost <= room),
            _ => fits + (over - fits) / 2,
        };
        guesses += 1;
        let guess = guess.clamp(fits + 1, over - 1);
        let measured = measure(guess);
        if let Some(cost) = costs.get(guess - 1).filter(|cost| **cost > 0.0) {
            ratio = ((measured.saturating_sub(floor)) as f64 / cost).clamp(0.05, 20.0);
        }
        if measured <= budget {
            fits = guess;
        } else {
            over = guess;
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
        fn the_last_step_that_fits_is_found(
            real in prop::collection::vec(0u64..50, 0..200),
            noise in prop::collection::vec(0.1f64..10.0, 200),
            floor in 0u64..20,
            room in 0u64..3000,
        ) {
            let mut sum = 0.0;
            let costs: Vec<f64> = real.iter().zip(&noise).map(|(cost, noise)| { sum += *cost as f64 * noise; sum }).collect();
            let measure = |steps: usize| floor + real[..steps].iter().sum::<u64>();
            let budget = floor + room;
            let mut asked = 0;
            let found = climb(&costs, floor, budget, |steps| { asked += 1; measure(steps) });
            prop_assert!(measure(found) <= budget);
            prop_assert!(found == real.len() || measure(found + 1) > budget);
            prop_assert!(asked <= 6 + 9, "{}", asked);
        }
    }
}
