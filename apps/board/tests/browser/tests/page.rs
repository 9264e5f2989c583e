//! The page, as a user handles it.

use serde_json::{Value, json};

use crate::driver::{Browser, Point};

/// The page of a server in a browser.
pub struct Page<'a> {
    pub browser: &'a Browser,
    pub address: &'a str,
}

/// The keys of WebDriver.
pub mod key {
    pub const ENTER: &str = "\u{e007}";
    pub const LEFT: &str = "\u{e012}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
    pub const DOWN: &str = "\u{e015}";
    pub const PAGE_UP: &str = "\u{e00e}";
    pub const HOME: &str = "\u{e011}";
    pub const END: &str = "\u{e010}";
    pub const ESCAPE: &str = "\u{e00c}";
}

impl Page<'_> {
    /// Shows the page and waits until it is ready.
    pub fn load(&self) {
        self.browser.open("about:blank");
        self.browser.open(self.address);
        self.browser.until("document.body?.dataset.ready === 'yes'");
    }

    /// What imports a module in a script.
    pub fn module(&self, name: &str) -> String {
        format!("await import(new URL('assets/js/{name}.js', location.href.split('#')[0]))")
    }

    /// Opens a session as the page itself does.
    pub fn open(&self, options: &Value) {
        let api = self.module("api");
        let said =
            self.browser.run_async(&format!("return (await ({api}).open({options})).session;"));
        let session = said.as_str().unwrap_or_default();
        assert!(!session.starts_with("error"), "{options}: {session}");
        self.browser.until(&format!(
            "location.hash === '#{session}' && document.querySelectorAll('.cell').length"
        ));
    }

    pub fn two_people(&self, more: &Value) {
        let mut options = json!({
            "kind": "play",
            "white": { "kind": "person", "name": "Ann" },
            "black": { "kind": "person", "name": "Bob" },
        });
        merge(&mut options, more);
        self.open(&options);
    }

    /// The state that the page shows.
    pub fn state(&self) -> Value {
        let store = self.module("store");
        self.browser.run_async(&format!("return ({store}).state();"))
    }

    /// Waits until the position on the board begins with this text.
    pub fn until_fen(&self, begin: &str) {
        let store = self.module("store");
        let script = format!(
            "const store = {store};
             while (!store.state().position.fen.startsWith('{begin}')) await new Promise((resolve) => setTimeout(resolve, 10));"
        );
        self.browser.run_async(&script);
    }

    /// What stands on a square: `white K`, or nothing.
    pub fn piece(&self, square: &str) -> String {
        let script = format!(
            "const piece = document.querySelector('[data-square=\"{square}\"] .piece'); \
             return piece ? piece.dataset.side + ' ' + piece.dataset.piece.toUpperCase() : '';"
        );
        self.browser.run(&script).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until this stands there.
    pub fn expect(&self, square: &str, piece: &str) {
        self.browser.until(&format!(
            "(() => {{ const piece = document.querySelector('[data-square=\"{square}\"] .piece'); \
             return (piece ? piece.dataset.side + ' ' + piece.dataset.piece.toUpperCase() : '') === '{piece}'; }})()"
        ));
    }

    /// The middle of a square in the window.
    pub fn point(&self, square: &str) -> Point {
        self.middle(&format!("[data-square=\"{square}\"]"))
    }

    /// The middle of an element in the window.
    pub fn middle(&self, selector: &str) -> Point {
        let script = format!(
            "const box = document.querySelector({}).getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round);",
            json!(selector)
        );
        let at = self.browser.run(&script);
        (at[0].as_i64().expect("a number"), at[1].as_i64().expect("a number"))
    }

    /// Waits until it is the turn after `plies` plies.
    pub fn ply(&self, plies: usize) {
        self.browser.until(&format!(
            "document.querySelectorAll('#moves .mv[data-node]').length === {plies}"
        ));
    }

    /// Drags a piece, and waits until the move is in the list.
    pub fn drag(&self, from: &str, to: &str) {
        let (piece, before) = (self.piece(from), self.count_moves());
        self.browser.drag(self.point(from), self.point(to));
        // The piece is there before the server has answered.
        self.browser.until(&format!(
            "document.querySelectorAll('#moves .mv[data-node]').length > {before}"
        ));
        self.expect(to, &piece);
    }

    /// Clicks on a piece and on its target.
    pub fn click(&self, from: &str, to: &str) {
        self.browser.press(self.point(from));
        self.browser
            .until(&format!("document.querySelector('[data-square=\"{from}\"].selected') && true"));
        self.browser.press(self.point(to));
    }

    /// Types into the field for moves and commands.
    pub fn enter(&self, text: &str) {
        self.browser.send("#typed", &format!("{text}{}", key::ENTER));
        self.browser.until("document.getElementById('typed').value === ''");
    }

    /// Types moves, one after the other.
    pub fn moves(&self, moves: &str) {
        for text in moves.split_whitespace() {
            let before = self.count_moves();
            self.enter(text);
            self.ply(before + 1);
        }
    }

    /// How many moves the list has.
    pub fn count_moves(&self) -> usize {
        let count =
            self.browser.run("return document.querySelectorAll('#moves .mv[data-node]').length;");
        usize::try_from(count.as_u64().expect("a number")).expect("few")
    }

    pub fn button(&self, text: &str) {
        let name = format!(
            "[...document.querySelectorAll('button')].find((button) => button.offsetParent && button.textContent.trim() === {})",
            json!(text)
        );
        self.browser.until(&format!("(({name})?.disabled === false) && true"));
        self.browser.run(&format!("({name}).click();"));
    }

    /// Shows a tab of the analysis.
    pub fn tab(&self, name: &str) {
        self.browser.run(&format!("document.getElementById('tab-{name}').click();"));
        self.browser
            .until(&format!("document.querySelector('#tab-{name}[aria-selected=true]') && true"));
    }

    /// Turns a switch of the settings on or off.
    pub fn switch(&self, label: &str) {
        self.browser.run("document.querySelector('[data-do=settings]').click();");
        self.browser.run(&format!(
            "[...document.querySelectorAll('dialog label')].find((label) => label.innerText === {}).click();",
            json!(label)
        ));
        self.browser.click("dialog button.main");
        self.browser.until("!document.querySelector('dialog')");
        // What is below a dialog takes no keys before it is drawn without it.
        self.browser.run_async("for (const i of [1, 2]) await new Promise(requestAnimationFrame);");
    }

    pub fn text(&self, selector: &str) -> String {
        let script =
            format!("return document.querySelector({})?.innerText ?? '';", json!(selector));
        self.browser.run(&script).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the text of an element contains this.
    pub fn says(&self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.browser
            .until(&format!("document.querySelector({selector})?.innerText.includes({text})"));
    }

    pub fn pgn(&self) -> String {
        let api = self.module("api");
        self.browser
            .run_async(&format!("return ({api}).pgn();"))
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    pub fn drop_file(&self, name: &str, text: &str) {
        let script = format!(
            "const data = new DataTransfer(); data.items.add(new File([{}], {})); \
             for (const kind of ['dragenter', 'dragover', 'drop']) \
             document.body.dispatchEvent(new DragEvent(kind, {{ dataTransfer: data, bubbles: true, cancelable: true }}));",
            json!(text),
            json!(name)
        );
        self.browser.run(&script);
    }
}

/// What `more` has is put over what `options` has.
fn merge(options: &mut Value, more: &Value) {
    for (name, value) in more.as_object().into_iter().flatten() {
        options[name] = value.clone();
    }
}
