//! Lines to and from a peer, with limits of length and time.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::message::{MAX_LINE, Message, PeerError};

/// How long a peer has to read why the connection ends.
const LINGER: Duration = Duration::from_millis(200);

/// A connection to another program, which is not trusted.
pub(super) struct Connection {
    stream: TcpStream,
    /// Bytes that were read and are no line yet.
    buffer: Vec<u8>,
    /// How long to wait for a message, and to send one.
    patience: Duration,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, patience: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(patience))?;
        Ok(Self { stream, buffer: Vec::new(), patience })
    }

    /// Ends a connection with which nothing is begun, and sends the peer the reason. Waits for
    /// nothing.
    pub(super) fn refuse(mut stream: TcpStream, error: &PeerError) {
        let message = Message::Error { message: error.to_string() };
        // A peer that is gone already misses nothing.
        let _ = stream.set_nonblocking(true).and_then(|()| {
            stream.write_all(message.line().as_bytes())?;
            stream.shutdown(Shutdown::Write)?;
            // Closing a connection with unread bytes in it could take the message back.
            stream.read(&mut [0; 4096])
        });
    }

    pub(super) fn send(&mut self, message: &Message) -> Result<(), PeerError> {
        let written = self.stream.write_all(message.line().as_bytes());
        written.map_err(|error| self.last_words().unwrap_or(PeerError::Io(error)))
    }

    /// What a peer that has closed the connection said last, if that was an error.
    fn last_words(&mut self) -> Option<PeerError> {
        self.patience = LINGER;
        loop {
            match self.receive() {
                Ok(Some(_)) => {}
                Err(said @ PeerError::Said(_)) => return Some(said),
                _ => return None,
            }
        }
    }

    /// The next message, or `None` if the peer has closed the connection after the last one. The
    /// whole message has to arrive in time, not only its parts one after the other.
    pub(super) fn receive(&mut self) -> Result<Option<Message>, PeerError> {
        let deadline = Instant::now() + self.patience;
        let mut looked_at = 0;
        loop {
            let fresh = &self.buffer[looked_at..];
            if let Some(end) = fresh.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=looked_at + end).collect();
                return match Message::read(line.trim_ascii()).map_err(PeerError::Message)? {
                    Message::Error { message } => Err(PeerError::Said(message)),
                    message => Ok(Some(message)),
                };
            }
            looked_at = self.buffer.len();
            if looked_at > MAX_LINE {
                return Err(PeerError::TooLong);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(PeerError::Silent(self.patience));
            }
            self.stream.set_read_timeout(Some(left))?;
            if self.read()? == 0 {
                return if self.buffer.is_empty() { Ok(None) } else { Err(PeerError::Closed) };
            }
        }
    }

    /// How many bytes came; 0 is the end.
    fn read(&mut self) -> Result<usize, PeerError> {
        let mut chunk = [0; 4096];
        match self.stream.read(&mut chunk) {
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                Ok(count)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => self.read(),
            // Which of the two depends on the system.
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Err(PeerError::Silent(self.patience))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Tells the peer why the connection ends, unless it knows.
    pub(super) fn end(mut self, error: &PeerError) {
        if !error.is_for_the_peer() {
            return;
        }
        let message = Message::Error { message: error.to_string() };
        let is_sent = self.send(&message).is_ok()
            && self.stream.shutdown(Shutdown::Write).is_ok()
            && self.stream.set_read_timeout(Some(LINGER)).is_ok();
        if !is_sent {
            return;
        }
        // Closing a connection with unread bytes in it could take the message back.
        let deadline = Instant::now() + LINGER;
        self.buffer.clear();
        while Instant::now() < deadline && self.read().is_ok_and(|count| count > 0) {
            self.buffer.clear();
        }
    }
}
