//! The minimum of a function of a few numbers, without derivatives.

/// Steps at most; a smooth function of four numbers takes about two hundred.
const STEPS: usize = 2_000;

/// Where `function` is smallest, searched from `start` with first steps of about `size`.
///
/// Source: J. Nelder and R. Mead, "A simplex method for function minimization", 1965, with
/// their coefficients.
pub fn minimum<const N: usize>(
    function: impl Fn([f64; N]) -> f64,
    start: [f64; N],
    size: f64,
) -> [f64; N] {
    let mut simplex = vec![(function(start), start)];
    for axis in 0..N {
        let mut point = start;
        point[axis] += size;
        simplex.push((function(point), point));
    }
    for _ in 0..STEPS {
        simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ((lowest, best), (highest, worst)) = (simplex[0], simplex[N]);
        if highest - lowest <= 1e-13 * lowest.abs() {
            break;
        }
        let mut middle = [0.0; N];
        for (_, point) in &simplex[..N] {
            middle.iter_mut().zip(point).for_each(|(sum, part)| *sum += part / N as f64);
        }
        // From the worst point through the middle of the others.
        let along = |factor: f64| {
            let point =
                core::array::from_fn(|axis| middle[axis] + factor * (middle[axis] - worst[axis]));
            (function(point), point)
        };
        let reflected = along(1.0);
        if reflected.0 < lowest {
            let expanded = along(2.0);
            simplex[N] = if expanded.0 < reflected.0 { expanded } else { reflected };
        } else if reflected.0 < simplex[N - 1].0 {
            simplex[N] = reflected;
        } else {
            let contracted = along(if reflected.0 < highest { 0.5 } else { -0.5 });
            if contracted.0 < highest.min(reflected.0) {
                simplex[N] = contracted;
            } else {
                for (value, point) in &mut simplex[1..] {
                    *point = core::array::from_fn(|axis| (point[axis] + best[axis]) / 2.0);
                    *value = function(*point);
                }
            }
        }
    }
    simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
    simplex[0].1
}
