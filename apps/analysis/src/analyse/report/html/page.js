"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const NAMES = ["inaccuracy", "mistake", "blunder"];
  const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const element = (id) => document.getElementById(id);
  const sources = [...document.querySelectorAll("script.game")];
  let game = null;
  let positions = [];
  let ply = 0;
  // The line of the engine that is being looked at: which one, and how many of its moves.
  let explored = null;
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
    if ("mate" in score) return "#" + score.mate;
    return (score.cp >= 0 ? "+" : "\u2212") + (Math.abs(score.cp) / 100).toFixed(2);
  }

  const evaluationAt = (index) => (index < game.moves.length ? game.moves[index] : game.last);

  function lineAt(index, line) {
    return evaluationAt(index).lines[line];
  }

  // What the board shows now: its pieces, the last move, and the best move.
  function shown() {
    if (!explored) {
      const best = evaluationAt(ply).lines[0];
      return { board: positions[ply], last: ply > 0 ? game.moves[ply - 1].uci : null, best: best ? best.uci[0] : null };
    }
    const moves = lineAt(ply, explored.line).uci.slice(0, explored.count);
    return { board: moves.reduce(play, positions[ply]), last: moves[moves.length - 1], best: null };
  }

  function drawBoard() {
    const { board, last, best } = shown();
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
    if (best) {
      const [x1, y1] = place(squareOf(best)), [x2, y2] = place(squareOf(best.slice(2)));
      const angle = Math.atan2(y2 - y1, x2 - x1);
      const tip = [x2 + 5 - 1.5 * Math.cos(angle), y2 + 5 - 1.5 * Math.sin(angle)];
      const neck = [tip[0] - 3.4 * Math.cos(angle), tip[1] - 3.4 * Math.sin(angle)];
      const wing = [-1.9 * Math.sin(angle), 1.9 * Math.cos(angle)];
      svg.append(shape("line", { class: "arrow", x1: x1 + 5, y1: y1 + 5, x2: neck[0], y2: neck[1] }));
      svg.append(shape("polygon", { class: "arrowhead", points: `${tip} ${neck[0] + wing[0]},${neck[1] + wing[1]} ${neck[0] - wing[0]},${neck[1] - wing[1]}` }));
    }
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
      text.append(`${played.move} ${played.san} ${MARKS[played.judgement] || ""} `);
      text.append(make("span", { class: "score" }, scoreText(evaluationAt(ply).eval)));
      now.append(text);
      if (played.judgement) {
        const consequence = played.consequence ? ", " + played.consequence : "";
        now.append(make("div", { class: played.judgement }, `${played.judgement}: ${played.loss.toFixed(1)} % lost${consequence}`));
      }
      drawReasons(now, played.explanation);
      if (played.judgement) now.append(lineNode(ply - 1, 0, "better"));
    } else {
      now.append(make("div", { class: "verdict" }, "First position " + scoreText(evaluationAt(0).eval)));
      if (!game.moves.length) drawReasons(now, evaluationAt(0).explanation);
    }
    evaluationAt(ply).lines.forEach((_, line) => now.append(lineNode(ply, line, null)));
    if (!evaluationAt(ply).lines.length) now.append(make("div", { class: "quiet" }, "The game is over."));
    const depth = evaluationAt(ply).depth;
    if (depth) now.append(make("div", { class: "quiet" }, `depth ${depth}, ${evaluationAt(ply).nodes.toLocaleString()} nodes`));
  }

  // Why the move is good or bad.
  function drawReasons(now, explanation) {
    for (const sentence of explanation || []) now.append(make("div", { class: "reason" }, sentence.text));
  }

  // A line of the engine, whose moves can be clicked.
  function lineNode(index, line, label) {
    const { eval: score, san } = lineAt(index, line);
    const node = make("div", { class: "line" });
    node.append(make("b", {}, scoreText(score)), label ? label + ": " : "");
    san.forEach((text, move) => {
      const here = explored && ply === index && explored.line === line && explored.count === move + 1;
      const link = make("a", { class: here ? "here" : "", role: "button" }, text);
      link.onclick = () => { ply = index; explored = { line, count: move + 1 }; draw(); };
      node.append(link, " ");
    });
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

  function drawMoves() {
    const node = element("moves");
    node.replaceChildren();
    game.moves.forEach((move, index) => {
      const black = move.move.endsWith("...");
      if (!black || index === 0) node.append(make("span", {}, move.move.replace("...", ".")));
      if (black && index === 0) node.append(make("div"));
      const link = make("a", { role: "button", class: index + 1 === ply ? "here" : "" });
      link.dataset.ply = index + 1;
      const name = make("b", { class: move.judgement || "" }, move.san + (MARKS[move.judgement] || ""));
      link.append(name, make("small", {}, scoreText(evaluationAt(index + 1).eval)));
      link.onclick = () => go(index + 1);
      node.append(link);
      if (move.comments) {
        if (!black) node.append(make("div"));
        node.append(make("p", {}, move.comments.join(" ")));
        if (!black && index + 1 < game.moves.length) node.append(make("span"), make("div"));
      }
    });
    const here = node.querySelector(".here");
    if (here) node.scrollTop = here.offsetTop - node.offsetTop - node.clientHeight / 2;
  }

  function draw() {
    drawBoard();
    drawNow();
    drawGraph();
    drawMoves();
    document.body.dataset.ply = ply;
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
    explored.count = Math.min(count, lineAt(ply, explored.line).uci.length);
    draw();
  }

  function open(index) {
    game = JSON.parse(sources[index].textContent);
    positions = [piecesOf(game.start)];
    for (const move of game.moves) positions.push(play(positions[positions.length - 1], move.uci));
    const known = (name) => (game.tags[name] && !/^[?.*-]*$/.test(game.tags[name]) ? game.tags[name] : null);
    const title = game.moves.length ? `${known("White") || "White"} \u2013 ${known("Black") || "Black"} ${game.result}` : known("Event") || "Position";
    element("title").textContent = title;
    const facts = ["Event", "Site", "Date", "Round", "Opening", "ECO", "TimeControl", "Termination"].map(known);
    element("facts").textContent = facts.filter((fact) => fact && fact !== title).join(" \u00b7 ");
    drawPlayers();
    drawMoments();
    go(0);
  }

  function setUp() {
    const list = element("games");
    sources.forEach((source, index) => list.append(make("option", { value: index }, source.dataset.title)));
    list.hidden = sources.length < 2;
    list.onchange = () => open(Number(list.value));
    element("first").onclick = () => go(0);
    element("back").onclick = () => step(-1);
    element("forth").onclick = () => step(1);
    element("last").onclick = () => go(game.moves.length);
    element("flip").onclick = () => { turned = !turned; draw(); };
    const root = document.documentElement;
    root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    element("theme").onclick = () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; };
    const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(game.moves.length), f: () => element("flip").onclick() };
    addEventListener("keydown", (event) => {
      if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey || !game) return;
      const action = keys[event.key];
      if (action) { event.preventDefault(); action(); }
    });
    addEventListener("resize", () => game && drawGraph());
    if (!sources.length) {
      element("title").textContent = "No games";
      return;
    }
    // #3.20 opens the third game after its 20th move.
    const [number, at] = location.hash.slice(1).split(".").map(Number);
    const first = number >= 1 && number <= sources.length ? number - 1 : 0;
    list.value = first;
    open(first);
    if (at > 0) go(at);
    document.body.dataset.ready = sources.length;
  }

  setUp();
})();
