//! The results of a run: a patch of the table of parameters, and OpenBench's form.

use core::fmt::Write as _;
use std::path::Path;

use super::tuner::Parameter;

/// Lines for the SPSA form of OpenBench: name, type, value, range, step at the end of the run,
/// learning rate.
pub(super) fn openbench(parameters: &[Parameter], rate: f64) -> String {
    let mut text = String::new();
    for Parameter { name, value, min, max, step, .. } in parameters {
        let _ = writeln!(text, "{name}, int, {value:.1}, {min}, {max}, {step}, {rate}");
    }
    text
}

/// The values before and after, one parameter a line, those that moved most first.
pub(super) fn summary(parameters: &[Parameter]) -> String {
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

/// A parameter is not in the source of the table as it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the table has no line `{name} = {value}, ...`: it is not the one of this build")]
pub struct TableError {
    pub name: String,
    /// Its value in this build.
    pub value: i32,
}

/// A patch (`patch -p1`, `git apply --unidiff-zero`) of the table's source that gives all
/// parameters their new values. `run` becomes their origin, if it is known.
pub(super) fn patch(
    path: &Path,
    source: &str,
    parameters: &[Parameter],
    run: Option<&str>,
) -> Result<String, TableError> {
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
    match found.iter().position(|found| !found) {
        None => Ok(text),
        Some(missing) => {
            let Parameter { name, start, .. } = &parameters[missing];
            Err(TableError { name: name.clone(), value: *start })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "tunables! {
    /// Razoring: greatest depth.
    razor_depth = 4, 1 => 8, step 1, from ByHand;
    /// Razoring: margin at depth zero.
    razor_base = 200, 50 => 500, step 25, from Engine(\"Weiss (227)\");
}
";

    fn parameters() -> Vec<Parameter> {
        let parameter = |name: &str, start: i32, value: f64, step: f64| Parameter {
            name: name.to_owned(),
            start,
            min: 1,
            max: 500,
            step,
            value,
        };
        vec![parameter("razor_depth", 4, 4.3, 1.0), parameter("razor_base", 200, 187.6, 25.0)]
    }

    #[test]
    fn the_patch_changes_what_moved() {
        let path = Path::new("base/src/params/table.rs");
        let made = patch(path, TABLE, &parameters(), Some("S7")).unwrap();
        assert_eq!(
            made,
            "--- a/base/src/params/table.rs\n+++ b/base/src/params/table.rs\n@@ -5 +5 @@\n\
             -    razor_base = 200, 50 => 500, step 25, from Engine(\"Weiss (227)\");\n\
             +    razor_base = 188, 50 => 500, step 25, from Run(\"S7\");\n"
        );
        let made = patch(path, TABLE, &parameters(), None).unwrap();
        assert!(made.contains("+    razor_base = 188, 50 => 500, step 25, from Engine"));
    }

    #[test]
    fn another_table_is_refused() {
        let other = TABLE.replace("razor_depth = 4", "razor_depth = 5");
        let error = patch(Path::new("t.rs"), &other, &parameters(), None).unwrap_err();
        assert_eq!((error.name.as_str(), error.value), ("razor_depth", 4));
    }

    #[test]
    fn the_table_of_this_build_can_be_patched() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../base/src/params/table.rs");
        let source = std::fs::read_to_string(&path).unwrap();
        let mut all: Vec<Parameter> =
            tamarin_search::parameters().iter().map(Parameter::from).collect();
        all.iter_mut().for_each(|parameter| parameter.value += 1.0);
        let patch = patch(&path, &source, &all, Some("S1")).unwrap();
        assert_eq!(patch.matches("\n@@ ").count(), all.len());
        assert_eq!(patch.matches("from Run(\"S1\");\n").count(), all.len());
    }

    #[test]
    fn openbench_reads_a_line_a_parameter() {
        let text = openbench(&parameters(), 0.002);
        assert_eq!(text.lines().next(), Some("razor_depth, int, 4.3, 1, 500, 1, 0.002"));
        assert_eq!(text.lines().count(), 2);
    }

    #[test]
    fn what_moved_most_comes_first() {
        let text = summary(&parameters());
        let names: Vec<_> =
            text.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(names, ["razor_base", "razor_depth"]);
    }
}
