use super::*;

#[test]
fn the_table_is_consistent() {
    for (index, tunable) in parameters().iter().enumerate() {
        assert!(tunable.min <= tunable.default, "{}", tunable.name);
        assert!(tunable.default <= tunable.max, "{}", tunable.name);
        assert!(tunable.step > 0, "{}", tunable.name);
        let doubled = parameters()[..index].iter().any(|other| other.name == tunable.name);
        assert!(!doubled, "{} is named twice", tunable.name);
    }
}

#[cfg(feature = "tune")]
#[test]
fn parameters_are_set_by_name() {
    let mut params = Params::new();
    assert_eq!(params.set("aspiration_width", 20), Ok(()));
    assert_eq!(params.aspiration_width(), 20);
    assert!(matches!(params.set("aspiration_width", 2000), Err(ParameterError::Range { .. })));
    assert!(matches!(params.set("no_such", 1), Err(ParameterError::Unknown(_))));
    assert_eq!(params.aspiration_width(), 20);
}
