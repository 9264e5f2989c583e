//! Which of its directions an atom uses.
//!
//! Source: the table of XBoard's notation, <https://www.gnu.org/software/xboard/Betza.html>.

/// Rows forward and columns to the right.
pub(crate) type Step = (i32, i32);

/// The shape of an atom as rows and columns, larger first; none for `Q`, `U` and `O`, nor for
/// letters that stand for several atoms.
pub(crate) fn shape(atom: char) -> Option<Step> {
    Some(match atom {
        'W' => (1, 0),
        'F' => (1, 1),
        'D' => (2, 0),
        'N' => (2, 1),
        'A' => (2, 2),
        'H' => (3, 0),
        'C' | 'L' => (3, 1),
        'Z' | 'J' => (3, 2),
        'G' => (3, 3),
        _ => return None,
    })
}

/// All directions of a shape, clockwise from straight ahead.
pub(crate) fn all((a, b): Step) -> Vec<Step> {
    let mut steps = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        for (sign_x, sign_y) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let step = (sign_x * x, sign_y * y);
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    steps.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
    steps
}

/// Clockwise from straight ahead, in radians from 0 up to a full turn.
fn angle((rows, columns): Step) -> f64 {
    f64::from(columns).atan2(f64::from(rows)).rem_euclid(std::f64::consts::TAU)
}

/// Whether a letter is forward, backward or both.
fn is_vertical(letter: char) -> bool {
    matches!(letter, 'f' | 'b' | 'v')
}

/// Whether a step goes to the side that a letter names.
fn goes(letter: char, (rows, columns): Step) -> bool {
    match letter {
        'f' => rows > 0,
        'b' => rows < 0,
        'v' => rows != 0,
        'r' => columns > 0,
        'l' => columns < 0,
        's' => columns != 0,
        _ => false,
    }
}

/// Whether a step goes further to the sides that a letter names than across.
fn leans(letter: char, (rows, columns): Step) -> bool {
    if is_vertical(letter) { rows.abs() > columns.abs() } else { columns.abs() > rows.abs() }
}

/// The directions that letters choose: all without letters.
///
/// A straight atom takes every letter by itself. A diagonal one takes a vertical and a horizontal
/// letter together. An oblique one moves along the narrow pair of a letter, along the half of the
/// board with `h` (`fh`), and along the one direction of a vertical and a horizontal letter that
/// leans to the second.
pub(crate) fn chosen(shape: Step, letters: &str) -> Vec<Step> {
    let all = all(shape);
    if letters.is_empty() {
        return all;
    }
    let letters: Vec<char> = letters.chars().collect();
    let oblique = shape.1 != 0 && shape.0 != shape.1;
    let diagonal = shape.0 == shape.1;
    let mut picked = vec![false; all.len()];
    let mut pick = |belongs: &dyn Fn(Step) -> bool| {
        for (mark, &step) in picked.iter_mut().zip(&all) {
            *mark |= belongs(step);
        }
    };
    let mut i = 0;
    while i < letters.len() {
        let letter = letters[i];
        let next = letters.get(i + 1).copied();
        let crossing = next.filter(|&n| n != 'h' && is_vertical(n) != is_vertical(letter));
        match (next, crossing) {
            (_, Some(other)) if diagonal => {
                pick(&|step| goes(letter, step) && goes(other, step));
                i += 2;
            }
            (_, Some(other)) if oblique => {
                pick(&|step| goes(letter, step) && goes(other, step) && leans(other, step));
                i += 2;
            }
            (Some('h'), _) => {
                pick(&|step| goes(letter, step));
                i += 2;
            }
            _ if oblique => {
                pick(&|step| goes(letter, step) && leans(letter, step));
                i += if next == Some(letter) { 2 } else { 1 };
            }
            _ => {
                pick(&|step| goes(letter, step));
                i += 1;
            }
        }
    }
    all.into_iter().zip(picked).filter(|(_, mark)| *mark).map(|(step, _)| step).collect()
}

#[cfg(test)]
mod tests {
    use super::{all, chosen};

    #[test]
    fn directions_go_round_clockwise() {
        assert_eq!(all((1, 0)), [(1, 0), (0, 1), (-1, 0), (0, -1)]);
        assert_eq!(all((1, 1)), [(1, 1), (-1, 1), (-1, -1), (1, -1)]);
        assert_eq!(all((2, 1))[..3], [(2, 1), (1, 2), (-1, 2)]);
    }

    #[test]
    fn letters_choose() {
        let count = |shape, letters| chosen(shape, letters).len();
        assert_eq!(chosen((1, 0), "f"), [(1, 0)]);
        assert_eq!(count((1, 0), "fs"), 3);
        assert_eq!(count((1, 1), "f"), 2);
        assert_eq!(chosen((1, 1), "fl"), [(1, -1)]);
        assert_eq!(count((2, 1), "f"), 2);
        assert_eq!(count((2, 1), "ff"), 2);
        assert_eq!(count((2, 1), "fh"), 4);
        assert_eq!(count((2, 1), "v"), 4);
        assert_eq!(chosen((2, 1), "fl"), [(1, -2)]);
        assert_eq!(chosen((2, 1), "lf"), [(2, -1)]);
        assert_eq!(count((2, 1), "fs"), 2);
        assert_eq!(count((2, 1), "bh"), 4);
    }
}
