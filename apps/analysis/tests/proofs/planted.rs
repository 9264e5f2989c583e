//! The checks themselves: a sentence with a defect is found.

use tamarin_analysis::explain::{Claim, MaterialChange, Role, Sentence};
use tamarin_movegen::{Color, PerColor, Position};

use crate::cases::{Case, blunders};
use crate::{engine, explain, replay, tables};

/// A sound sentence about material and the case it comes from.
fn sound() -> (Case, Sentence) {
    let (mut engine, tables) = (engine(), tables());
    for case in blunders() {
        let explanation = explain(&mut engine, &case, 5_000);
        let mut sentences = explanation.sentences.into_iter();
        let main = sentences.find(|sentence| {
            matches!(sentence.claim, Claim::Material { .. }) && sentence.role == Role::Move
        });
        if let Some(sentence) = main {
            assert_eq!(replay::check(&tables, &case, &sentence), Ok(()));
            return (case, sentence);
        }
    }
    panic!("no blunder loses material");
}

#[test]
fn a_claim_without_proof_is_found() {
    let (case, sentence) = sound();
    let tables = tables();
    let check = |change: &dyn Fn(&mut Sentence)| {
        let mut planted = sentence.clone();
        change(&mut planted);
        replay::check(&tables, &case, &planted).expect_err("the defect is not found")
    };
    let Claim::Material { winner, change } = sentence.claim else { unreachable!() };
    assert!(check(&|planted| planted.claim = Claim::Mate { winner, moves: 1 }).contains("no mate"));
    let more = |side: Color| {
        let mut counts = change.0;
        counts[side][4] += 1;
        Claim::Material { winner, change: MaterialChange(PerColor(counts.0)) }
    };
    assert!(check(&|planted| planted.claim = more(winner)).contains("the line wins"));
    let short = check(&|planted| planted.line.moves.truncate(1));
    assert!(short.contains("the line wins"), "{short}");
    check(&|planted| planted.claim = Claim::OnlyLegalMove);
    check(&|planted| planted.line.start = Position::startpos());
    let twice = check(&|planted| planted.line.moves.insert(0, planted.line.moves[0]));
    assert!(twice.contains("not legal"), "{twice}");
}

#[test]
fn a_wrong_threat_and_a_long_sentence_are_found() {
    let (case, sentence) = sound();
    let tables = tables();
    let changed = |change: &dyn Fn(&mut Sentence)| {
        let mut planted = sentence.clone();
        change(&mut planted);
        planted
    };
    let threat = changed(&|planted| planted.role = Role::Threat);
    let found = replay::check(&tables, &case, &threat).expect_err("nobody passed");
    assert!(found.contains("pass"), "{found}");
    let long = changed(&|planted| planted.text = "x".repeat(201));
    assert!(replay::check(&tables, &case, &long).is_err());
    let plies = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6";
    let plies = changed(&|planted| planted.text = plies.to_owned());
    let found = replay::check(&tables, &case, &plies).expect_err("eight plies");
    assert!(found.contains("names 8 plies"), "{found}");
}
