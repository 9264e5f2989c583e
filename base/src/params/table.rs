//! Every number of the search that changes play: its value, the range and step it may be
//! tuned with, and where it comes from.
//!
//! Scores and margins are in score units (100 units ahead score 62 % of the points), depths
//! in plies. Where the doc comment says 1/1024, 1024 stands for one.
//!
//! Those set by hand have their values since their technique was added; the matches of that time
//! tested each group as a whole and are in the log of the repository.

use super::tunable::Origin::{ByHand, Engine, Run};
#[cfg(feature = "tune")]
use super::tunable::ParameterError;
use super::tunable::{Tunable, tunables};

tunables! {
    // Iterative deepening and aspiration windows.

    /// Aspiration: from this iteration on the root is searched with a narrow window.
    aspiration_depth = 4, 1 => 10, step 1, from Engine("Stockfish 15.1");
    /// Aspiration: half width of the first window.
    aspiration_width = 12, 5 => 50, step 3, from Engine("Reckless 0.8");
    /// Aspiration: growth of the half width after each failure, 1/1024.
    aspiration_growth = 1400, 1100 => 2048, step 60, from ByHand;
    /// Aspiration: after a fail low, how far the new beta is from the old one towards
    /// alpha, 1/1024.
    aspiration_fail_low = 512, 0 => 1024, step 64, from Engine("Stockfish 15.1");
    /// Aspiration: plies of depth taken away for each fail high in a row.
    aspiration_fail_high = 1, 0 => 2, step 1, from Engine("Stockfish 15.1");
    /// Aspiration: weight of the old mean of a root move's scores beside a new score.
    root_average_weight = 1, 0 => 8, step 1, from Run("C1");

    // Evaluation as the search sees it.

    /// Optimism: what a won root adds to evaluations at most.
    optimism = 36, 0 => 100, step 5, from Run("M28");
    /// Optimism: the score of the root that adds half of that.
    optimism_half = 75, 20 => 300, step 15, from Run("M28");
    /// Optimism and contempt: the share that goes with the pieces, 1/1024.
    optimism_fading = 512, 0 => 1024, step 64, from Run("M31");
    /// Draws: how far a draw's score is from zero, up or down by the count of nodes.
    draw_noise = 1, 0 => 4, step 1, from Engine("Stockfish 15.1");
    /// Evaluations shrink in proportion to the fifty-move clock and would be zero at this many
    /// plies.
    fifty_move_fading = 220, 120 => 400, step 14, from Engine("Stockfish 15.1 (214)");
    /// Correction history: weight of the table of pawns, 1/128.
    correction_pawn = 4, 0 => 32, step 2, from Run("C5");
    /// Correction history: weight of the table of minor pieces, 1/128.
    correction_minor = 2, 0 => 32, step 2, from Run("C5");
    /// Correction history: weight of the tables of each side's pieces, 1/128.
    correction_non_pawn = 12, 0 => 32, step 2, from Run("C5");
    /// Correction history: weight of the table of the last two moves, 1/128.
    correction_moves = 12, 0 => 32, step 2, from Run("C5");

    // Transposition table cutoffs.

    /// TT cutoff: none from this fifty-move clock on, in plies.
    tt_cutoff_clock = 90, 60 => 100, step 4, from Engine("Stockfish 15.1");
    /// TT cutoff: up to this depth only if it fails high at a cut node or low at an all-node.
    tt_cutoff_depth = 5, 0 => 10, step 1, from Engine("Stockfish 17.1");

    // Pruning of whole nodes.

    /// Razoring, reverse futility and null move: none if beta is farther from zero than this. Only
    /// mate counts there.
    pruning_beta_limit = 700, 200 => 6000, step 280, from ByHand;
    /// Razoring: greatest depth.
    razor_depth = 4, 1 => 8, step 1, from ByHand;
    /// Razoring: margin at depth zero.
    razor_base = 164, 50 => 500, step 25, from Run("S5");
    /// Razoring: margin by the square of the depth.
    razor_factor = 122, 50 => 400, step 20, from Run("S5");
    /// Reverse futility: greatest depth.
    reverse_futility_depth = 8, 4 => 14, step 1, from ByHand;
    /// Reverse futility: margin by depth.
    reverse_futility_factor = 70, 30 => 160, step 6, from Run("S5");
    /// Reverse futility: share of the correction, up or down, that the margin is greater by, 1/1024.
    reverse_futility_correction = 291, 0 => 1024, step 48, from Run("S5");
    /// Reverse futility: share of beta, not the evaluation, in the score returned, 1/1024.
    reverse_futility_return = 512, 0 => 1024, step 64, from ByHand;
    /// Reverse futility: how much smaller the margin is if the last move made the opponent's
    /// evaluation worse.
    reverse_futility_worsening = 23, 0 => 80, step 4, from Run("S5");
    /// Hindsight: reduction by the parent from which on a node gets a ply back, 1/1024 ply.
    hindsight_extension = 3072, 1024 => 5120, step 200, from Engine("Reckless c56a59b");
    /// Hindsight: reduction by the parent from which on a node may lose a ply, 1/1024 ply.
    hindsight_reduction = 2048, 1024 => 4096, step 160, from Engine("Reckless 150d074");
    /// Hindsight: the reduced node loses a ply if the two evaluations add up to more than this.
    hindsight_margin = 126, 0 => 300, step 14, from Run("S5");
    /// Null move: how far above beta the static evaluation has to be at depth zero.
    null_margin_base = 160, 0 => 300, step 15, from Run("S5");
    /// Null move: by how much less so with each ply of depth.
    null_margin_factor = 14, 0 => 40, step 2, from Run("S5");
    /// Null move: constant part of the reduction.
    null_reduction = 4, 2 => 6, step 1, from Engine("Weiss 9340ece");
    /// Null move: depth for one more ply of reduction.
    null_reduction_depth = 4, 2 => 8, step 1, from Engine("Weiss 9340ece");
    /// Null move: evaluation above beta for one more ply of reduction.
    null_reduction_eval = 192, 80 => 400, step 15, from Run("S5");
    /// Null move: most plies that the evaluation adds to the reduction.
    null_reduction_eval_limit = 2, 1 => 7, step 1, from Run("S5");
    /// Null move: from this depth on it is verified. Only long time controls tell its worth.
    null_verification_depth = 14, 8 => 20, step 1, from Engine("Stockfish 15.1");
    /// Null move: share of the reduced depth in which a verification tries none, 1/1024.
    null_verification_share = 768, 256 => 1024, step 64, from Engine("Stockfish 15.1");
    /// Internal iterative reduction: smallest depth.
    iir_depth = 4, 2 => 8, step 1, from ByHand;
    /// Internal iterative reduction: plies taken away.
    iir_reduction = 1, 1 => 3, step 1, from ByHand;
    /// ProbCut: smallest depth.
    probcut_depth = 5, 4 => 8, step 1, from Engine("Stockfish 15.1");
    /// ProbCut: how far above beta a capture has to score.
    probcut_margin = 173, 60 => 350, step 14, from Run("S5");
    /// ProbCut: how much less far if the position improves.
    probcut_improving = 50, 0 => 150, step 6, from Engine("Stockfish 15.1 (54)");
    /// ProbCut: plies taken away from the depth of its search, the capture's own among them.
    probcut_reduction = 4, 2 => 6, step 1, from Engine("Stockfish 15.1");
    /// ProbCut: none if beta is farther from zero than this.
    probcut_beta_limit = 300, 100 => 3000, step 100, from ByHand;
    /// Tablebases: how much deeper than the node its result is stored in the table.
    tablebase_store_depth = 6, 0 => 12, step 1, from Engine("Stockfish 11");

    // Singular extensions and multi-cut.

    /// Singular extension: smallest depth.
    singular_depth = 6, 4 => 10, step 1, from ByHand;
    /// Singular extension: how much greater that is for nodes that are or were on the PV.
    singular_depth_tt_pv = 1, 0 => 4, step 1, from ByHand;
    /// Singular extension: by how much the table's depth may be less than the node's.
    singular_tt_depth = 3, 1 => 5, step 1, from Engine("Stockfish 15.1");
    /// Singular extension: share of the depth in the search without the table's move, 1/1024.
    singular_search_share = 512, 256 => 768, step 32, from Engine("Stockfish 15.1");
    /// Singular extension: none deeper in the tree than this many times the root's depth.
    singular_ply_limit = 2, 1 => 4, step 1, from Engine("Stockfish 15.1");
    /// Singular extension: margin by depth, in 1/64.
    singular_factor = 79, 24 => 160, step 6, from Run("S5");
    /// Singular extension: margin by depth for nodes that are or were on the PV, in 1/64.
    singular_factor_tt_pv = 94, 24 => 200, step 8, from Run("S5");
    /// Double extension: by how much more than the margin the other moves have to be worse.
    double_extension_margin = 23, 4 => 60, step 3, from Run("S5");
    /// Triple extension: the same for a third ply, which only quiet moves get.
    triple_extension_margin = 100, 40 => 250, step 8, from ByHand;
    /// Double and triple extension: share of the correction, up or down, that counts as a
    /// difference too, 1/1024.
    singular_correction = 171, 0 => 1024, step 48, from ByHand;
    /// Double extension: the most in one line.
    double_extension_limit = 8, 2 => 16, step 1, from Engine("Stockfish 15.1 (10)");
    /// Negative extension: plies for a move that the table scores at beta or above.
    negative_extension = 2, 0 => 4, step 1, from Engine("Stockfish 15.1");
    /// Negative extension: plies more off the PV.
    negative_extension_non_pv = 1, 0 => 2, step 1, from ByHand;
    /// Negative extension: plies at an expected cut node if the table scores below beta.
    negative_extension_cut_node = 2, 0 => 4, step 1, from ByHand;

    // Quiescence search.

    /// Quiescence: share of beta, not the best score, in the score of a node that fails high,
    /// 1/1024.
    qsearch_return = 512, 0 => 1024, step 64, from Engine("Stockfish 17.1");
    /// Quiescence: how far a capture, with its victim, may be below alpha.
    qsearch_futility = 151, 60 => 350, step 12, from Run("S5");
    /// Quiescence: what a capture has to win by static exchange if the evaluation is that far
    /// below alpha.
    qsearch_futility_see = 8, -100 => 100, step 8, from Run("S5");
    /// Quiescence: what a capture has to win by static exchange to be tried at all.
    qsearch_see = 0, -100 => 100, step 8, from Engine("Stockfish 15.1");
    /// Quiescence: after this number of moves only recaptures and promotions are tried.
    qsearch_moves = 3, 2 => 8, step 1, from Engine("Stockfish 15.1");
    /// Quiescence: what a quiet check has to win by static exchange to be tried.
    qsearch_check_see = 0, -200 => 100, step 16, from Engine("Stockfish 11");

    // Move ordering.

    /// Ordering of captures: weight of the victim and the promotion beside the history.
    capture_victim_weight = 16, 2 => 32, step 2, from ByHand;
    /// Ordering of captures: its score divided by this is what one may lose by static exchange
    /// and still come before the quiet moves.
    good_capture_divisor = 32, 8 => 128, step 6, from Engine("Stockfish 16 (18, other units)");
    /// Ordering of quiet moves: weight of the quiet history, 1/128.
    order_quiet_history = 256, 0 => 512, step 24, from Engine("Stockfish 15.1");
    /// Ordering of quiet moves: weight of the move one ply before, 1/128.
    order_continuation_1 = 128, 0 => 512, step 24, from ByHand;
    /// Ordering of quiet moves: weight of the move two plies before, 1/128.
    order_continuation_2 = 128, 0 => 512, step 24, from ByHand;
    /// Ordering of quiet moves: weight of the move four plies before, 1/128.
    order_continuation_4 = 64, 0 => 512, step 24, from ByHand;
    /// Ordering of quiet moves: weight of the pawn history, 1/128.
    order_pawn_history = 256, 0 => 512, step 24, from Engine("Stockfish 16");
    /// Ordering of quiet moves: a minor piece that escapes pawns, or less if it runs into them.
    order_threat_minor = 8000, 0 => 24000, step 800, from ByHand;
    /// Ordering of quiet moves: a rook that escapes minor pieces and pawns, likewise.
    order_threat_rook = 12000, 0 => 36000, step 1200, from ByHand;
    /// Ordering of quiet moves: a queen that escapes lesser pieces, likewise.
    order_threat_queen = 16000, 0 => 48000, step 1600, from ByHand;
    /// Ordering of quiet moves: check.
    order_check = 14000, 0 => 32000, step 1200, from Engine("Stockfish 16 (16384)");
    /// Ordering of quiet moves: what a check has to win by static exchange to count.
    order_check_see = -75, -200 => 0, step 8, from Engine("Stockfish 16");

    // Histories.

    /// Bonus of a good move: by depth.
    bonus_factor = 200, 50 => 400, step 16, from Run("S5");
    /// Bonus of a good move: what is taken off.
    bonus_offset = 80, 0 => 400, step 16, from Engine("Reckless 0.8 (69)");
    /// Bonus of a good move: the most.
    bonus_limit = 1470, 400 => 4000, step 120, from Run("S5");
    /// Bonus of a good move: as a ply deeper if its score is above beta by so much.
    bonus_margin = 93, 20 => 400, step 16, from Run("S5");
    /// Malus of a move tried in vain: by depth.
    malus_factor = 229, 50 => 600, step 20, from Run("S5");
    /// Malus of a move tried in vain: what is taken off.
    malus_offset = 60, 0 => 400, step 16, from ByHand;
    /// Malus of a move tried in vain: the most.
    malus_limit = 1223, 300 => 4000, step 120, from Run("S5");
    /// Bonus of the move before a node where all failed low: share of the bonus, 1/1024.
    parent_bonus_share = 573, 0 => 1536, step 64, from Run("S5");
    /// Malus of the move before a node that failed high: share of the malus, 1/1024.
    parent_malus_share = 464, 0 => 1536, step 64, from Run("S5");
    /// Malus of the move before a node at a TT cutoff: only if it was among the first moves tried.
    parent_malus_moves = 2, 0 => 6, step 1, from Engine("Stockfish 16");
    /// Quiet history of the move before a node: by the change of the evaluation.
    evaluation_change_factor = 8, 0 => 24, step 1, from Engine("Stockfish 16 (14, other units)");
    /// Quiet history of the move before a node: the greatest such update.
    evaluation_change_limit = 900, 200 => 2400, step 100, from ByHand;
    /// Correction history: the update is the error times the depth, divided by this.
    correction_divisor = 8, 2 => 16, step 1, from Engine("Stockfish 16.1");
    /// Correction history: the greatest update.
    correction_update_limit = 256, 64 => 512, step 24, from Engine("Stockfish 16.1");

    // Pruning of moves.

    /// Weight of the quiet history in the history of a quiet move that pruning and reductions
    /// read, 1/128; that of the moves one and two plies before is 128.
    move_quiet_history = 256, 0 => 512, step 24, from Engine("Stockfish 15.1");
    /// Late-move pruning: how many moves are tried at depth zero, in 1/64. Half as many if
    /// the position does not improve.
    late_move_base = 250, 64 => 512, step 20, from Run("S5");
    /// Late-move pruning: how many more by the square of the depth, in 1/64.
    late_move_factor = 67, 24 => 160, step 6, from Run("S5");
    /// Futility pruning: greatest reduced depth.
    futility_depth = 9, 4 => 14, step 1, from ByHand;
    /// Futility pruning: margin at reduced depth zero.
    futility_base = 110, 30 => 300, step 12, from Engine("Stockfish 15.1 (106)");
    /// Futility pruning: margin by reduced depth.
    futility_factor = 78, 30 => 200, step 8, from Run("S5");
    /// Futility pruning of captures: greatest reduced depth.
    capture_futility_depth = 6, 3 => 12, step 1, from Engine("Stockfish 15.1");
    /// Futility pruning of captures: margin at reduced depth zero.
    capture_futility_base = 230, 60 => 500, step 20, from ByHand;
    /// Futility pruning of captures: margin by reduced depth.
    capture_futility_factor = 250, 60 => 500, step 20, from ByHand;
    /// Futility pruning of captures: history that adds one unit to the margin.
    capture_futility_history = 8, 2 => 64, step 2, from ByHand;
    /// History pruning: greatest reduced depth.
    history_pruning_depth = 5, 2 => 10, step 1, from Engine("Stockfish 15.1 (4)");
    /// History pruning: how bad a move's history must be, by depth.
    history_pruning_factor = 4575, 1000 => 8000, step 300, from Run("S5");
    /// SEE pruning of quiet moves: loss allowed by the square of the reduced depth.
    quiet_see_factor = 16, 6 => 60, step 3, from Run("S5");
    /// SEE pruning of captures: loss allowed by depth.
    capture_see_factor = 85, 30 => 200, step 8, from Run("S5");
    /// SEE pruning of quiet checks: loss allowed by depth.
    check_see_factor = 190, 30 => 400, step 16, from Engine("Stockfish 11 (194)");
    /// SEE pruning of captures: history that allows one unit less or more.
    capture_see_history = 32, 8 => 128, step 6, from ByHand;

    // Late-move reductions (LMR).

    /// LMR: smallest depth.
    lmr_depth = 2, 1 => 5, step 1, from Engine("Stockfish 15.1");
    /// LMR: how many moves are searched in full.
    lmr_moves = 1, 1 => 4, step 1, from Engine("Stockfish 15.1");
    /// LMR: how many more at the root.
    lmr_moves_root = 1, 0 => 4, step 1, from Engine("Stockfish 15.1");
    /// LMR: constant part for quiet moves, 1/1024 ply.
    quiet_reduction_base = 862, 0 => 2048, step 80, from Run("S5");
    /// LMR: divisor of the product of the logarithms for quiet moves, 1/1024.
    quiet_reduction_divisor = 2233, 1200 => 4000, step 120, from Run("S5");
    /// LMR: constant part for captures, 1/1024 ply.
    capture_reduction_base = 200, -512 => 1536, step 80, from ByHand;
    /// LMR: divisor of the product of the logarithms for captures, 1/1024.
    capture_reduction_divisor = 3500, 1800 => 6000, step 200, from ByHand;
    /// LMR: more at an expected cut node, 1/1024 ply.
    reduction_cut_node = 1414, 0 => 3072, step 100, from Run("S5");
    /// LMR: less at a node that is or was on the PV, 1/1024 ply.
    reduction_tt_pv = 1290, 0 => 3072, step 100, from Run("S5");
    /// LMR: more if the position does not improve, 1/1024 ply.
    reduction_not_improving = 817, 0 => 2048, step 80, from Run("S5");
    /// LMR: less for a move that gives check, 1/1024 ply.
    reduction_check = 1500, 0 => 3000, step 80, from ByHand;
    /// LMR: less for the killer, 1/1024 ply.
    reduction_killer = 900, 0 => 2048, step 80, from ByHand;
    /// LMR: more if the table's move is a capture, 1/1024 ply.
    reduction_tt_capture = 900, 0 => 2048, step 80, from ByHand;
    /// LMR: more if many of the child's children failed high lately, 1/1024 ply.
    reduction_cutoffs = 900, 0 => 2048, step 80, from ByHand;
    /// LMR: how many such cutoffs are still nothing special.
    reduction_cutoff_count = 2, 0 => 6, step 1, from Engine("Stockfish 15.1 (3)");
    /// LMR: still more at an expected cut node without a move from the table, 1/1024 ply.
    reduction_no_tt_move = 900, 0 => 2048, step 80, from ByHand;
    /// LMR: less on the PV, in proportion to the window's share of the root's, 1/1024 ply.
    reduction_window = 600, 0 => 1500, step 60, from Engine("Stockfish 16 (608)");
    /// LMR: less for each unit that correction history adds or takes off, 1/1024 ply.
    reduction_correction = 7, 0 => 24, step 1, from Run("S5");
    /// LMR: the most units of correction that count.
    reduction_correction_limit = 128, 32 => 256, step 12, from ByHand;
    /// LMR: history that is worth a ply, by which the reduction shrinks or grows.
    reduction_history = 9866, 3000 => 24000, step 700, from Run("S5");
    /// LMR: the second search is a ply deeper if the first was better by so much.
    deeper_margin = 40, 10 => 120, step 6, from Run("S5");
    /// LMR: the second search is a ply shallower if the first was better by less.
    shallower_margin = 8, 0 => 30, step 2, from ByHand;

    /// After alpha was raised: smallest depth at which the other moves are searched less deep.
    alpha_raised_min = 3, 2 => 6, step 1, from Engine("Stockfish 16");
    /// After alpha was raised: greatest such depth.
    alpha_raised_max = 13, 8 => 20, step 1, from Engine("Stockfish 16");
    /// After alpha was raised: plies taken off the depth of the other moves.
    alpha_raised_reduction = 1, 0 => 3, step 1, from Engine("Stockfish 15.1");

    // Transposition table: what is replaced by what, and which keys tell positions apart.

    /// TT: an entry of the same position is replaced by one that is less than this shallower.
    tt_overwrite_margin = 4, 0 => 10, step 1, from Engine("Stockfish 15.1");
    /// TT: how much more shallower the new entry may be on the PV.
    tt_overwrite_pv = 2, 0 => 6, step 1, from Engine("Stockfish 15.1");
    /// TT: plies of depth that an entry is worth less for each search it is older.
    tt_age_weight = 8, 1 => 16, step 1, from Engine("Stockfish 15.1");
    /// TT: from this fifty-move clock on the clock is part of the key.
    tt_key_clock = 14, 6 => 40, step 2, from Engine("Stockfish 15.1");
    /// TT: plies of the clock that share a key from there on.
    tt_key_clock_step = 8, 1 => 20, step 1, from Engine("Stockfish 15.1");

    // Time management. A share is of the usable clock, which is without the move overhead.

    /// Clock: soft limit late in a long game, as a share, 1/1024.
    time_share_late = 61, 20 => 120, step 5, from ByHand;
    /// Clock: how much smaller that share is at move zero, 1/1024.
    time_share_early = 51, 0 => 60, step 4, from ByHand;
    /// Clock: the move at which half of the difference is made up for.
    time_share_moves = 20, 5 => 60, step 3, from ByHand;
    /// Clock: share of the increment that is spent, 1/1024.
    time_increment_share = 768, 256 => 1024, step 48, from ByHand;
    /// Clock: hard limit, increment included, as a share, 1/1024.
    time_hard_share = 768, 256 => 1000, step 48, from ByHand;
    /// Clock: move overheads that should be left; limits shrink in proportion to what is missing.
    time_reserve = 16, 1 => 40, step 2, from Run("M43");
    /// Moves to go: more count as this many.
    time_moves_to_go = 50, 20 => 80, step 4, from ByHand;
    /// Moves to go: hard limit by the soft limit, 1/1024.
    time_moves_to_go_hard = 5120, 2048 => 8192, step 300, from ByHand;
    /// Moves to go: hard limit as a share, 1/1024.
    time_moves_to_go_share = 768, 256 => 1000, step 48, from ByHand;
    /// Last move before the control: soft limit as a share, 1/1024.
    time_last_move_soft = 768, 256 => 1000, step 48, from ByHand;
    /// Last move before the control: hard limit as a share, 1/1024.
    time_last_move_hard = 960, 512 => 1000, step 24, from ByHand;
    /// Pondering allowed: factor of the soft limit, 1/1024.
    time_ponder = 1280, 1024 => 1536, step 40, from Engine("Stockfish 15.1");
    /// Node effort: factor of the soft limit if no node was spent on the best move, 1/1024.
    time_effort_base = 2200, 1600 => 3000, step 80, from Engine("Reckless 0.8 (2.15)");
    /// Node effort: how much less if all nodes were spent on it, 1/1024.
    time_effort_factor = 1536, 512 => 1600, step 80, from Engine("Reckless 0.8");
    /// Best-move stability: factor of the soft limit after a change of the best move, 1/1024.
    time_stability_base = 1280, 1024 => 1800, step 50, from Engine("Reckless 0.8 (1.25)");
    /// Best-move stability: how much less for each iteration with the same best move, 1/1024.
    time_stability_factor = 51, 10 => 100, step 5, from Engine("Reckless 0.8 (0.05)");
    /// Best-move stability: more iterations than this count as this many.
    time_stability_limit = 8, 2 => 10, step 1, from Engine("Reckless 0.8");
    /// Falling score: factor of the soft limit if the score stays as it is, 1/1024.
    time_falling_base = 900, 700 => 1100, step 30, from ByHand;
    /// Falling score: how much more for each unit that it fell since the last iteration, 1/1024.
    time_falling_factor = 10, 2 => 40, step 2, from ByHand;
    /// Falling score: the same for each unit since the search of the move before, 1/1024.
    time_falling_search_factor = 10, 0 => 40, step 2, from ByHand;
    /// Falling score: the smallest factor, 1/1024.
    time_falling_min = 800, 600 => 1024, step 30, from ByHand;
    /// Falling score: the greatest factor, 1/1024.
    time_falling_max = 1536, 1024 => 2400, step 80, from ByHand;
    /// Only one legal move: the iteration after which it is played when a clock is running.
    forced_move_depth = 8, 1 => 16, step 1, from ByHand;

    // Threads.

    /// Vote: weight of a thread besides the margin of its score over the worst of all threads.
    vote_base = 14, 1 => 60, step 3, from Engine("Stockfish 15.1");
}
