//! The program on a terminal of its own, whose screen can be read.

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

use crate::play::harness::Home;
use crate::support::engine::binary;

/// Time that no healthy answer needs, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn nonzero(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a screen has rows and columns")
}

/// A pseudo-terminal with the program on it.
pub struct Terminal {
    parser: Arc<Mutex<vt100::Parser>>,
    keyboard: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    reader: Option<thread::JoinHandle<()>>,
    is_closing: Arc<AtomicBool>,
}

impl Terminal {
    /// Starts `tamarin play` with colors on a screen of `size` columns and rows.
    pub fn start(home: &Home, size: (u16, u16), arguments: &[&str]) -> Self {
        let (cols, rows) = size;
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(binary());
        command.arg("play");
        command.args(["--seed", "1", "--no-book", "--pieces", "ascii"]);
        command.args(arguments);
        command.env("XDG_STATE_HOME", home.path("."));
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        drop(pair.slave);
        let parser = Arc::new(Mutex::new(vt100::Parser::new(nonzero(rows), nonzero(cols), 0)));
        let mut output = pair.master.try_clone_reader().expect("it can be read");
        let seen = Arc::clone(&parser);
        let is_closing = Arc::new(AtomicBool::new(false));
        let closing = Arc::clone(&is_closing);
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end, or an error once the other side is gone.
            while let Ok(count) = output.read(&mut bytes) {
                if count == 0 || closing.load(Ordering::Relaxed) {
                    break;
                }
                seen.lock().expect("nobody panicked").process(&bytes[..count]);
            }
        });
        let keyboard = Some(pair.master.take_writer().expect("it can be written"));
        let (master, reader) = (Some(pair.master), Some(reader));
        Self { parser, keyboard, child, master, reader, is_closing }
    }

    /// Presses keys, as the bytes that a terminal sends for them.
    pub fn keys(&mut self, keys: &str) {
        let keyboard = self.keyboard.as_mut().expect("the terminal is there");
        keyboard.write_all(keys.as_bytes()).expect("it reads");
        keyboard.flush().expect("it reads");
    }

    /// Clicks on a column and row, from 0.
    pub fn click(&mut self, column: u16, row: u16) {
        let (x, y) = (column + 1, row + 1);
        self.keys(&format!("\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m"));
    }

    /// What is on the screen, row by row.
    pub fn screen(&self) -> String {
        self.parser.lock().expect("nobody panicked").screen().contents()
    }

    /// The background color of a column and row, from 0.
    pub fn background(&self, column: u16, row: u16) -> vt100::Color {
        let parser = self.parser.lock().expect("nobody panicked");
        parser.screen().cell(row, column).expect("it is on the screen").bgcolor()
    }

    /// Returns `true` if the screen is the alternate one.
    pub fn is_full_screen(&self) -> bool {
        self.parser.lock().expect("nobody panicked").screen().alternate_screen()
    }

    /// Returns `true` if the terminal reports mouse clicks.
    pub fn has_mouse(&self) -> bool {
        let parser = self.parser.lock().expect("nobody panicked");
        parser.screen().mouse_protocol_mode() != vt100::MouseProtocolMode::None
    }

    /// Waits until something holds for the screen.
    pub fn until(&self, what: &str, mut holds: impl FnMut(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen();
            if holds(&screen) {
                return;
            }
            assert!(Instant::now() < deadline, "no {what} on the screen:\n{screen}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until a text is on the screen.
    pub fn shows(&self, text: &str) {
        self.until(&format!("{text:?}"), |screen| screen.contains(text));
    }

    /// Changes the size of the screen.
    pub fn resize(&self, columns: u16, rows: u16) {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let master = self.master.as_ref().expect("the terminal is there");
        // Locked until both have the new size: nothing that is drawn for it is read before.
        let mut parser = self.parser.lock().expect("nobody panicked");
        master.resize(size).expect("it can be resized");
        parser.screen_mut().set_size(nonzero(rows), nonzero(columns));
    }

    /// Takes the terminal away, as who closes its window does. The program must be one that
    /// writes now and then.
    pub fn close(&mut self) {
        self.is_closing.store(true, Ordering::Relaxed);
        let reader = self.reader.take().expect("it is closed once");
        reader.join().expect("nobody panicked");
        self.keyboard = None;
        self.master = None;
    }

    pub fn id(&self) -> u32 {
        self.child.process_id().expect("it has been started")
    }

    pub fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                // What it wrote last is on its way until the reader has seen the end.
                let is_read = self.reader.as_ref().is_none_or(thread::JoinHandle::is_finished);
                if is_read {
                    return status;
                }
            }
            assert!(Instant::now() < deadline, "it does not end:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
