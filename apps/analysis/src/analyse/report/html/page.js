"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const NAMES = ["inaccuracy", "mistake", "blunder"];
  const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
  const element = (id) => document.getElementById(id);
  const sources = [...document.querySelectorAll("script.game")];
  let game = null;
  let positions = [];
  let ply = 0;
  // The line that is being looked at, and how many of its moves: `line` has its first position
  // (`base`, a ply of the game) and its `moves` in coordinates.
  let explored = null;
  // Links to the moves of the game and of its variations, with what they show.
  let links = [];
  let current = 0;
  let turned = false;

  function make(name, attributes = {}, text = null) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== null) node.textContent = text;
    return node;
  }

  function shape(name, attributes = {}, text = null) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== null) node.textContent = text;
    return node;
  }

  // The pieces of a FEN by square, a1 first.
  function piecesOf(fen) {
    const board = new Array(64).fill(null);
    fen.split(" ")[0].split("/").forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (/[1-8]/.test(letter)) file += Number(letter);
        else board[(7 - index) * 8 + file++] = letter;
      }
    });
    return board;
  }

  const squareOf = (text) => (text.charCodeAt(0) - 97) + 8 * (text.charCodeAt(1) - 49);

  // The pieces after a legal move in coordinates.
  function play(board, move) {
    const next = board.slice();
    if (move === "0000") return next;
    const from = squareOf(move), to = squareOf(move.slice(2));
    const piece = board[from];
    const kind = piece.toLowerCase(), white = piece !== kind;
    const rook = white ? "R" : "r";
    const takesOwnRook = kind === "k" && board[to] === rook;
    if (takesOwnRook || (kind === "k" && Math.abs(to - from) === 2 && !game.chess960)) {
      const home = from - from % 8;
      const short = to > from;
      const corner = takesOwnRook ? to : home + (short ? 7 : 0);
      next[from] = null;
      next[corner] = null;
      next[home + (short ? 6 : 2)] = piece;
      next[home + (short ? 5 : 3)] = rook;
      return next;
    }
    // En passant.
    if (kind === "p" && from % 8 !== to % 8 && board[to] === null) next[from - from % 8 + to % 8] = null;
    next[from] = null;
    const promotion = move[4];
    next[to] = promotion ? (white ? promotion.toUpperCase() : promotion) : piece;
    return next;
  }

  function scoreText(score) {
    if ("mate" in score) return score.mate === 0 ? "mate" : "#" + score.mate;
    return (score.cp >= 0 ? "+" : "\u2212") + (Math.abs(score.cp) / 100).toFixed(2);
  }

  const evaluationAt = (index) => (index < game.moves.length ? game.moves[index] : game.last);

  // The number of a ply of the game as it stands before its move: "12." or "12...".
  function numberAt(index) {
    const [, side, , , , full] = game.start.split(" ");
    const at = 2 * (Number(full || 1) - 1) + (side === "b" ? 1 : 0) + index;
    return `${Math.floor(at / 2) + 1}${at % 2 ? "..." : "."}`;
  }

  // The mark behind a move: what the engine says of it, else what the game says.
  const markOf = (move) => MARKS[move.judgement] || GLYPHS[(move.nags || []).find((nag) => GLYPHS[nag])] || "";

  function clockText(seconds) {
    const full = Math.floor(seconds), two = (value) => String(value).padStart(2, "0");
    const hours = Math.floor(full / 3600), minutes = Math.floor(full / 60) % 60;
    if (hours) return `${hours}:${two(minutes)}:${two(full % 60)}`;
    const tenths = full < 10 ? "." + Math.floor(seconds * 10 % 10) : "";
    return `${minutes}:${two(full % 60)}${tenths}`;
  }

  const spentText = (seconds) => (seconds < 60 ? `${Number(seconds.toPrecision(2))} s` : clockText(seconds));

  // What the board shows now: its pieces, the last move, the best move, and what the game draws.
  function shown() {
    if (!explored) {
      const best = evaluationAt(ply).lines[0];
      const drawn = ply > 0 ? game.moves[ply - 1].shapes : game.shapes;
      return { board: positions[ply], last: ply > 0 ? game.moves[ply - 1].uci : null, best: best ? best.uci[0] : null, drawn: drawn || [] };
    }
    const moves = explored.line.moves.slice(0, explored.count);
    return { board: moves.reduce(play, positions[explored.line.base]), last: moves[moves.length - 1], best: null, drawn: [] };
  }

  function drawBoard() {
    const { board, last, best, drawn } = shown();
    const svg = element("board");
    svg.replaceChildren();
    const place = (square) => {
      const file = square % 8, rank = (square - file) / 8;
      return turned ? [(7 - file) * 10, rank * 10] : [file * 10, (7 - rank) * 10];
    };
    for (let square = 0; square < 64; square++) {
      const [x, y] = place(square);
      const light = (square % 8 + (square >> 3)) % 2 === 1;
      svg.append(shape("rect", { x, y, width: 10, height: 10, class: light ? "light" : "dark" }));
      if (last && (squareOf(last) === square || squareOf(last.slice(2)) === square)) {
        svg.append(shape("rect", { x, y, width: 10, height: 10, class: "last" }));
      }
      const color = light ? "on-light" : "on-dark";
      if (y === 70) svg.append(shape("text", { x: x + 7.9, y: 79.3, class: color }, "abcdefgh"[square % 8]));
      if (x === 0) svg.append(shape("text", { x: 0.5, y: y + 2.8, class: color }, String((square >> 3) + 1)));
    }
    board.forEach((piece, square) => {
      if (!piece) return;
      const [x, y] = place(square);
      const side = piece === piece.toLowerCase() ? "black" : "white";
      const node = shape("use", { href: "#" + piece.toLowerCase(), class: "piece " + side, transform: `translate(${x} ${y}) scale(.1)` });
      node.dataset.square = "abcdefgh"[square % 8] + ((square >> 3) + 1);
      node.dataset.piece = piece;
      svg.append(node);
    });
    const arrow = (move, kind) => {
      const [x1, y1] = place(squareOf(move)), [x2, y2] = place(squareOf(move.slice(2)));
      const angle = Math.atan2(y2 - y1, x2 - x1);
      const tip = [x2 + 5 - 1.5 * Math.cos(angle), y2 + 5 - 1.5 * Math.sin(angle)];
      const neck = [tip[0] - 3.4 * Math.cos(angle), tip[1] - 3.4 * Math.sin(angle)];
      const wing = [-1.9 * Math.sin(angle), 1.9 * Math.cos(angle)];
      svg.append(shape("line", { class: "arrow " + kind, x1: x1 + 5, y1: y1 + 5, x2: neck[0], y2: neck[1] }));
      svg.append(shape("polygon", { class: "arrowhead " + kind, points: `${tip} ${neck[0] + wing[0]},${neck[1] + wing[1]} ${neck[0] - wing[0]},${neck[1] - wing[1]}` }));
    };
    for (const mark of drawn) {
      const kind = "drawn-" + mark[0];
      const [x, y] = place(squareOf(mark.slice(1)));
      if (mark.length > 3) arrow(mark.slice(1), kind);
      else svg.append(shape("circle", { class: "ring " + kind, cx: x + 5, cy: y + 5, r: 4.4 }));
    }
    if (best) arrow(best, "best");
    const chance = evaluationAt(ply).win;
    const bar = element("bar");
    bar.style.height = chance + "%";
    bar.style.top = turned ? "0" : (100 - chance) + "%";
  }

  function drawNow() {
    const now = element("now");
    now.replaceChildren();
    const played = ply > 0 ? game.moves[ply - 1] : null;
    if (played) {
      const text = make("div", { class: "verdict " + (played.judgement || "") });
      text.append(`${played.move} ${played.san}${markOf(played)} `);
      text.append(make("span", { class: "score" }, scoreText(evaluationAt(ply).eval)));
      now.append(text);
      if (played.judgement) {
        const consequence = played.consequence ? ", " + played.consequence : "";
        now.append(make("div", { class: played.judgement }, `${played.judgement}: ${played.loss.toFixed(1)} % of the winning chances lost${consequence}`));
      }
      drawReasons(now, played.explanation);
      if (played.judgement && game.moves[ply - 1].lines.length) now.append(lineNode(ply - 1, 0, "better"));
    } else {
      const text = game.moves.length ? "First position " : `${game.start.split(" ")[1] === "b" ? "Black" : "White"} to move `;
      now.append(make("div", { class: "verdict" }, text + scoreText(evaluationAt(0).eval)));
      if (!game.moves.length) now.append(make("code", { class: "fen" }, game.start));
      if (!game.moves.length) (game.comments || []).forEach((text) => now.append(make("p", {}, text)));
      if (!game.moves.length) drawReasons(now, evaluationAt(0).explanation);
    }
    evaluationAt(ply).lines.forEach((_, line) => now.append(lineNode(ply, line, null)));
    if (!evaluationAt(ply).lines.length) now.append(make("div", { class: "quiet" }, "The game is over."));
    const { depth, nodes } = evaluationAt(ply);
    if (depth) now.append(make("div", { class: "quiet" }, `depth ${depth}, ${nodes.toLocaleString()} nodes`));
    if (!played) return;
    const times = [];
    if ("spent" in played) times.push(`${spentText(played.spent)} for the move`);
    if ("clock" in played) times.push(`${clockText(played.clock)} left`);
    if (played.engine) times.push(`its engine: ${played.engine.score}, depth ${played.engine.depth}`);
    if (times.length) now.append(make("div", { class: "quiet" }, times.join(", ")));
  }

  const isSame = (line) => explored && explored.line.base === line.base && String(explored.line.moves) === String(line.moves);

  function linkTo(text, line, count) {
    const link = make("a", { role: "button", tabindex: 0 }, text);
    link.onclick = () => { ply = line.base; explored = { line, count }; draw(); };
    return link;
  }

  // Why the move is good or bad.
  function drawReasons(now, explanation) {
    for (const sentence of explanation || []) now.append(make("div", { class: "reason" }, sentence.text));
  }

  // A line of the engine, whose moves can be clicked.
  function lineNode(index, rank, label) {
    const { eval: score, san, uci } = evaluationAt(index).lines[rank];
    const node = make("div", { class: "line" });
    const line = { base: index, moves: uci };
    node.append(make("b", {}, scoreText(score)), label ? label + ": " : "");
    san.forEach((text, move) => {
      const number = numberAt(index + move);
      if (move === 0 || !number.endsWith("...")) node.append(make("span", { class: "quiet" }, number + "\u00a0"));
      const link = linkTo(text, line, move + 1);
      if (isSame(line) && explored.count === move + 1) link.className = "here";
      node.append(link, " ");
    });
    return node;
  }

  // A variation of the game as it stands there; `index` is the ply before the move it replaces.
  function variationNode(index, words) {
    const first = words.find((word) => word.san);
    const node = make("details", { class: "side" });
    node.append(make("summary", {}, first ? `${first.move || ""} ${first.san} \u2026` : "variation"));
    const text = make("div");
    let line = { base: index, moves: [] }, isFirst = true;
    const outer = [];
    for (const word of words) {
      if (word.open) {
        text.append(" (");
        outer.push(line);
        line = { base: index, moves: line.moves.slice(0, -1) };
      } else if (word.close) {
        text.append(") ");
        line = outer.pop() || line;
      } else if (word.comment) {
        text.append(make("i", {}, ` ${word.comment} `));
      } else if ("nag" in word) {
        text.append(GLYPHS[word.nag] || (word.nag ? ` $${word.nag}` : ""));
      } else {
        if (word.move && (isFirst || !word.move.endsWith("..."))) text.append(make("span", { class: "quiet" }, ` ${word.move}\u00a0`));
        else text.append(" ");
        if (word.uci) {
          line.moves.push(word.uci);
          const link = linkTo(word.san, line, line.moves.length);
          links.push({ link, line, count: line.moves.length });
          text.append(link);
        } else text.append(word.san);
        isFirst = false;
        continue;
      }
      isFirst = !word.nag;
    }
    node.append(text);
    return node;
  }

  function drawPlayers() {
    const side = (color) => {
      const report = game[color];
      const node = make("div", { class: "player" });
      const name = make("h2");
      const title = game.tags[color === "white" ? "White" : "Black"] || (color === "white" ? "White" : "Black");
      name.append(make("i", { class: "swatch " + color }), title);
      const elo = game.tags[(color === "white" ? "White" : "Black") + "Elo"];
      if (elo && elo !== "?") name.append(make("small", {}, ` ${elo}`));
      node.append(name);
      if (report.accuracy !== null) {
        node.append(make("div", { class: "accuracy" }, `${report.accuracy.toFixed(1)} %`));
        node.append(make("small", {}, `accuracy, ${Math.round(report.average_cp_loss)} cp lost a move`));
        const list = make("ul");
        const counts = [report.inaccuracies, report.mistakes, report.blunders];
        NAMES.forEach((kind, index) => {
          const plural = ["inaccuracies", "mistakes", "blunders"][index];
          list.append(make("li", { class: kind }, `${counts[index]} ${counts[index] === 1 ? kind : plural}`));
        });
        node.append(list);
      }
      return node;
    };
    element("players").replaceChildren(side("white"), side("black"));
  }

  function drawGraph() {
    const svg = element("graph");
    const width = Math.max(svg.clientWidth, 200), height = Math.max(svg.clientHeight, 100);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const last = Math.max(game.moves.length, 1);
    drawTimes();
    const x = (index) => index * width / last, y = (chance) => (100 - chance) * height / 100;
    svg.replaceChildren(shape("rect", { class: "back", width, height }));
    const points = positions.map((_, index) => `${x(index).toFixed(1)},${y(evaluationAt(index).win).toFixed(1)}`);
    if (points.length === 1) points.push(`${width},${y(evaluationAt(0).win).toFixed(1)}`);
    svg.append(shape("polygon", { class: "area", points: `0,${height} ${points.join(" ")} ${width},${height}` }));
    svg.append(shape("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
    [["middlegame", game.opening_ends], ["endgame", game.endgame_begins]].forEach(([name, at], row) => {
      if (!at) return;
      svg.append(shape("line", { class: "phase", x1: x(at), x2: x(at), y1: 0, y2: height }));
      const right = x(at) > width - 80;
      svg.append(shape("text", { x: x(at) + (right ? -4 : 4), y: 13 + 13 * row, "text-anchor": right ? "end" : "start" }, name));
    });
    game.moves.forEach((move, index) => {
      if (!move.judgement) return;
      svg.append(shape("circle", { class: "dot " + move.judgement, cx: x(index + 1), cy: y(evaluationAt(index + 1).win), r: 4.5 }));
    });
    svg.append(shape("line", { class: "cursor", x1: x(ply), x2: x(ply), y1: 0, y2: height }));
    svg.onclick = (event) => {
      const box = svg.getBoundingClientRect();
      go(Math.round((event.clientX - box.left) / box.width * last));
    };
  }

  // Bars of the time of each move, White's up and Black's down.
  function drawTimes() {
    const spent = game.moves.map((move) => ("spent" in move ? move.spent : 0));
    const most = Math.max(0, ...spent);
    element("timing").hidden = most === 0;
    if (most === 0) return;
    const slowest = game.moves[spent.indexOf(most)];
    element("slowest").textContent = `Time a move, White above; the longest ${spentText(most)} for ${slowest.move} ${slowest.san}`;
    const svg = element("times");
    const width = Math.max(svg.clientWidth, 200), height = Math.max(svg.clientHeight, 60);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren(shape("rect", { class: "ground", width, height }));
    const bar = width / game.moves.length;
    spent.forEach((seconds, index) => {
      const size = seconds / most * (height / 2 - 2);
      const black = game.moves[index].move.endsWith("...");
      svg.append(shape("rect", { class: (black ? "bar-black" : "bar-white") + (index + 1 === ply ? " now" : ""), x: index * bar, width: Math.max(bar - 1, 0.6), y: black ? height / 2 : height / 2 - size, height: size }));
    });
    svg.append(shape("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
    svg.onclick = (event) => {
      const box = svg.getBoundingClientRect();
      go(Math.floor((event.clientX - box.left) / box.width * game.moves.length) + 1);
    };
  }

  function drawMoments() {
    const node = element("moments");
    node.replaceChildren();
    if (game.critical.length) node.append(make("span", { class: "quiet" }, "Critical:"));
    for (const moment of game.critical) {
      const move = game.moves[moment.ply - 1];
      const kind = moment.reason === "only move" ? "only" : moment.reason;
      const button = make("button", { type: "button", class: kind }, `${move.move} ${move.san} ${moment.reason}`);
      button.onclick = () => go(moment.ply);
      node.append(button);
    }
  }

  // The moves in rows of a number, White's move and Black's, with what the game says of them below.
  function drawMoves() {
    const node = element("moves");
    node.replaceChildren();
    links = [];
    (game.comments || []).forEach((text) => node.append(make("p", { class: "lead" }, text)));
    let row = [];
    const finish = () => {
      const notes = row.map((move) => (move ? move.comments || [] : []));
      if (notes.some((texts) => texts.length)) {
        node.append(make("span"));
        notes.forEach((texts) => node.append(make("p", {}, texts.join(" "))));
        if (notes.length === 1) node.append(make("p"));
      }
      row.filter(Boolean).forEach((move) => (move.variations || []).forEach((words) => node.append(variationNode(move.ply - 1, words))));
      row = [];
    };
    game.moves.forEach((move, index) => {
      const black = move.move.endsWith("...");
      if (!black || index === 0) node.append(make("span", {}, move.move.replace("...", ".")));
      if (black && index === 0) {
        node.append(make("div"));
        row.push(null);
      }
      const link = make("a", { href: `#${current + 1}.${index + 1}`, class: "move" });
      link.dataset.ply = index + 1;
      link.append(make("b", { class: move.judgement || "" }, move.san + markOf(move)), make("small", { class: "score" }, scoreText(evaluationAt(index + 1).eval)));
      if ("clock" in move) link.append(make("small", { class: "clock" }, clockText(move.clock)));
      link.onclick = (event) => { event.preventDefault(); go(index + 1); };
      node.append(link);
      links.push({ link, ply: index + 1 });
      row.push(move);
      if (!black && index + 1 === game.moves.length) node.append(make("div"));
      if (black || index + 1 === game.moves.length) finish();
    });
    node.classList.toggle("timed", game.moves.some((move) => "clock" in move));
  }

  function markMoves() {
    const node = element("moves");
    let here = null;
    for (const { link, line, count, ply: own } of links) {
      const isHere = line ? isSame(line) && explored.count === count : !explored && own === ply;
      link.classList.toggle("here", isHere);
      if (isHere) here = link;
    }
    if (here && !explored) node.scrollTop = here.offsetTop - node.clientHeight / 2;
  }

  function draw() {
    drawBoard();
    drawNow();
    drawGraph();
    markMoves();
    document.body.dataset.ply = ply;
    // A page without an address of its own, such as one in a frame, has none for its moves.
    try { history.replaceState(null, "", `#${current + 1}.${ply}`); } catch { /* nothing else changes */ }
  }

  function go(index) {
    explored = null;
    ply = Math.min(Math.max(index, 0), game.moves.length);
    draw();
  }

  function step(direction) {
    if (!explored) return go(ply + direction);
    const count = explored.count + direction;
    if (count < 1) return go(ply);
    explored.count = Math.min(count, explored.line.moves.length);
    draw();
  }

  const textOf = (index) => JSON.parse(sources[index].textContent).pgn;

  // Made when it is asked for: all games together may be large.
  function download(link, text) {
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  function open(index) {
    current = index;
    element("games").value = index;
    game = JSON.parse(sources[index].textContent);
    positions = [piecesOf(game.start)];
    for (const move of game.moves) positions.push(play(positions[positions.length - 1], move.uci));
    const known = (name) => (game.tags[name] && !/^[?.*-]*$/.test(game.tags[name]) ? game.tags[name] : null);
    const title = game.moves.length ? `${known("White") || "White"} \u2013 ${known("Black") || "Black"} ` : known("Event") || "Position";
    element("title").replaceChildren(title, make("span", { class: "result" }, game.moves.length ? game.result : ""));
    const [opening, ...tags] = ["Opening", "Event", "Site", "Date", "Round", "ECO", "TimeControl", "Termination"].map(known);
    // A date of which only the year or the month is known.
    const facts = [opening || game.opening, ...tags].map((fact) => fact && fact.replace(/(\.\?\?)+$/, ""));
    if (facts[4]) facts[4] = `Round ${facts[4]}`;
    element("pgn").href = "#";
    element("pgn").download = `game-${index + 1}.pgn`;
    element("facts").textContent = facts.filter((fact) => fact && fact !== title).join(" \u00b7 ");
    document.body.classList.toggle("position", !game.moves.length);
    drawPlayers();
    drawMoments();
    drawMoves();
    [...element("rows").children].forEach((row) => row.classList.toggle("here", Number(row.dataset.game) === index));
    go(0);
  }

  // #3.20 is the third game after its 20th move.
  function openAddress() {
    const [number, at] = location.hash.slice(1).split(".").map(Number);
    const index = number >= 1 && number <= sources.length ? number - 1 : 0;
    if (index !== current || !game) open(index);
    if (at !== ply) go(at > 0 ? at : 0);
  }

  const known = (text) => (text && !/^[?.*-]*$/.test(text) ? text : "");
  const side = (color, index) => (row) => row[color].counts[index];
  const COLUMNS = [
    ["#", (row) => row.index + 1], ["White", (row) => row.White || "?"], ["Black", (row) => row.Black || "?"],
    ["Result", (row) => row.result], ["Moves", (row) => Math.ceil(row.plies / 2)],
    ["Accuracy W", (row) => row.white.accuracy], ["B", (row) => row.black.accuracy],
    ["cp lost W", (row) => row.white.loss], ["B", (row) => row.black.loss],
    ["?! W", side("white", 0)], ["? W", side("white", 1)], ["?? W", side("white", 2)],
    ["?! B", side("black", 0)], ["? B", side("black", 1)], ["?? B", side("black", 2)],
    ["Event", (row) => known(row.Event)], ["Date", (row) => known(row.Date)],
  ];

  // The table of all games, which a click on a column sorts.
  function drawOverview() {
    const rows = sources.map((source, index) => ({ index, ...JSON.parse(source.dataset.row) }));
    let sorted = { column: 0, down: false };
    const order = (a, b) => {
      const [one, other] = [a, b].map(COLUMNS[sorted.column][1]);
      if (one === null || other === null) return (one === null) - (other === null);
      const result = typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
      return (sorted.down ? -result : result) || a.index - b.index;
    };
    const nodes = rows.map((row) => {
      const node = make("tr");
      node.dataset.game = row.index;
      COLUMNS.forEach(([, value], column) => {
        const found = value(row);
        const text = found === null ? "" : column >= 5 && column <= 8 ? found.toFixed(column < 7 ? 1 : 0) : String(found);
        const cell = make("td", typeof found === "number" ? { class: "number" } : {});
        cell.append(column === 1 ? make("a", { href: `#${row.index + 1}.0` }, text) : text);
        node.append(cell);
      });
      node.onclick = (event) => { event.preventDefault(); open(row.index); };
      return node;
    });
    const heads = COLUMNS.map(([name], column) => {
      const head = make("th", { scope: "col" });
      const button = make("button", { type: "button" }, name);
      button.onclick = () => {
        sorted = { column, down: sorted.column === column ? !sorted.down : typeof COLUMNS[column][1](rows[0]) === "number" && column > 0 };
        draw();
      };
      head.append(button);
      return head;
    });
    const draw = () => {
      heads.forEach((head, column) => head.setAttribute("aria-sort", column !== sorted.column ? "none" : sorted.down ? "descending" : "ascending"));
      element("rows").replaceChildren(...rows.slice().sort(order).map((row) => nodes[row.index]));
    };
    element("columns").append(...heads);
    element("count").textContent = `All ${sources.length} games`;
    element("overview").hidden = false;
    element("overview").open = !location.hash;
    draw();
  }

  function setUp() {
    const list = element("games");
    sources.forEach((source, index) => list.append(make("option", { value: index }, source.dataset.title)));
    list.hidden = sources.length < 2;
    list.onchange = () => open(Number(list.value));
    element("pgn").onclick = () => download(element("pgn"), textOf(current));
    element("all").onclick = () => download(element("all"), sources.map((_, index) => textOf(index)).join(""));
    element("first").onclick = () => go(0);
    element("back").onclick = () => step(-1);
    element("forth").onclick = () => step(1);
    element("last").onclick = () => go(game.moves.length);
    element("flip").onclick = () => { turned = !turned; draw(); };
    const root = document.documentElement;
    root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    element("theme").onclick = () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; };
    element("all").href = "#";
    const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(game.moves.length), f: () => element("flip").onclick() };
    addEventListener("keydown", (event) => {
      if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey || !game) return;
      if (event.key === "Enter" && event.target.getAttribute?.("role") === "button") return event.target.click();
      const action = keys[event.key];
      if (action) { event.preventDefault(); action(); }
    });
    addEventListener("resize", () => game && drawGraph());
    if (!sources.length) {
      element("title").textContent = "No games";
      element("pgn").hidden = true;
      return;
    }
    if (sources.length > 1) drawOverview();
    addEventListener("hashchange", openAddress);
    openAddress();
    document.body.dataset.ready = sources.length;
  }

  setUp();
})();
