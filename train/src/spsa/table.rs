//! The results of a run: a patch of the table of parameters, and OpenBench's form.

use core::fmt::Write as _;
use std::path::Path;

use super::tuner::Parameter;
use crate::error::{Result, reject};

/// Lines for the SPSA form of OpenBench: name, type, value, range, step at the end of the run,
/// learning rate.
pub fn openbench(parameters: &[Parameter], rate: f64) -> String {
    let mut text = String::new();
    for Parameter { name, value, min, max, step, .. } in parameters {
        let _ = writeln!(text, "{name}, int, {value:.1}, {min}, {max}, {step}, {rate}");
    }
    text
}

/// The values before and after, one parameter a line, those that moved most first.
pub fn summary(parameters: &[Parameter]) -> String {
    let moved =
        |parameter: &Parameter| (parameter.value - f64::from(parameter.start)) / parameter.step;
    let mut sorted: Vec<_> = parameters.iter().collect();
    sorted.sort_by(|a, b| moved(b).abs().total_cmp(&moved(a).abs()));
    let mut text = String::new();
    let _ =
        writeln!(text, "{:<32} {:>6} {:>10} {:>6} {:>7}", "parameter", "was", "is", "", "steps");
    for parameter in sorted {
        let Parameter { name, start, value, .. } = parameter;
        let (rounded, steps) = (parameter.rounded(), moved(parameter));
        let _ = writeln!(text, "{name:<32} {start:>6} {value:>10.2} {rounded:>6} {steps:>+7.2}");
    }
    text
}

/// A patch (`patch -p1`, `git apply --unidiff-zero`) of the table's source that gives all
/// parameters their new values. `run` becomes their origin, if it is known.
pub fn patch(
    path: &Path,
    source: &str,
    parameters: &[Parameter],
    run: Option<&str>,
) -> Result<String> {
    let path = path.display();
    let mut text = format!("--- a/{path}\n+++ b/{path}\n");
    let mut found = vec![false; parameters.len()];
    for (number, line) in source.lines().enumerate() {
        let declared = |parameter: &&Parameter| {
            let begin = format!("{} = {},", parameter.name, parameter.start);
            line.trim_start().starts_with(&begin)
        };
        let Some(index) = parameters.iter().position(|parameter| declared(&parameter)) else {
            continue;
        };
        found[index] = true;
        let Parameter { name, start, .. } = &parameters[index];
        let new = parameters[index].rounded();
        if new == *start {
            continue;
        }
        let begin = [format!("{name} = {start},"), format!("{name} = {new},")];
        let mut changed = line.replacen(&begin[0], &begin[1], 1);
        if let (Some(run), Some(from)) = (run, changed.find(", from ")) {
            changed = format!("{}, from Run(\"{run}\");", &changed[..from]);
        }
        let number = number + 1;
        let _ = writeln!(text, "@@ -{number} +{number} @@\n-{line}\n+{changed}");
    }
    if let Some(missing) = found.iter().position(|found| !found) {
        let Parameter { name, start, .. } = &parameters[missing];
        reject!(
            "{path}: the table has no line `{name} = {start}, ...`: it is not the one of this build"
        );
    }
    Ok(text)
}
