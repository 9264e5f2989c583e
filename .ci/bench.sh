# shellcheck shell=bash
# Part of .ci/run: all builds search the same tree, and it is the tree that the history says.

bench_of() {
    local program=$1
    shift
    { "$program" "$@" 2>/dev/null || true; } | sed -n 's/^\([0-9]*\) nodes .*/\1/p'
}

release=$(bench_of "$tamarin" bench)
[[ -n $release ]] || fail "bench prints no node count"
printf 'bench of the release build: %s\n' "$release"

# The newest commit that states the number; what lies on top of it says that nothing changed.
if ! [[ $(git rev-parse --show-toplevel 2>/dev/null) -ef . ]]; then
    skip "no history to compare bench with"
else
    stated=$(git log -1 -E --grep='^Bench: [0-9]+$' --format=%B | sed -n 's/^Bench: //p' | tail -n 1)
    if [[ -n $stated ]]; then
        [[ $release == "$stated" ]] || fail "bench is $release, the history says $stated"
        printf 'bench of the history: %s\n' "$stated"
    elif [[ $(git rev-parse --is-shallow-repository) == true ]]; then
        skip "the history at hand states no bench (shallow clone)"
    else
        fail "no commit states a bench"
    fi
fi

# The build that the tests used: for the plain architecture, without BMI2, so sliders by magic
# multiplication, and with all assertions and overflow checks. One build answers for both.
checked=$(bench_of "$checked_dir/tamarin" bench)
[[ $checked == "$release" ]] || fail "bench is $release released, but ${checked:-nothing} checked"
printf 'bench of the checked build: %s\n' "$checked"
if [[ $(rustc --print host-tuple) == x86_64-* ]]; then
    if grep -qs 'rustc-cfg=fast_pext' "$target_dir"/native/*/release/build/tamarin-movegen-*/output; then
        printf 'the release build uses pext, the checked one magic multiplication\n'
    else
        skip "this processor has no fast pext to compare with"
    fi
fi

# Above, the network has computed the same with the vector instructions of this processor and
# without. The hand-crafted evaluation does so, too, and it is another one.
shallow="bench 16 1 11"
by_network=$(bench_of "$tamarin" "$shallow")
by_terms=$(bench_of "$tamarin" "setoption name Evaluator value hand-crafted" "$shallow")
checked=$(bench_of "$checked_dir/tamarin" "setoption name Evaluator value hand-crafted" "$shallow")
[[ -n $by_terms && $checked == "$by_terms" ]] ||
    fail "hand-crafted bench is ${by_terms:-nothing} released, but ${checked:-nothing} checked"
[[ $by_terms != "$by_network" ]] || fail "both evaluators search the same $by_terms nodes"
printf 'bench to depth 11: %s hand-crafted, %s by the network\n' "$by_terms" "$by_network"
