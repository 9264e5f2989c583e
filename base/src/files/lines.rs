//! Splits a stream of bytes into lines of bounded length.

use std::io::{self, BufRead, ErrorKind};

/// The longest line taken, in bytes without its end: 1 MiB.
///
/// A `position` with a game of 6,000 plies takes 30 KiB.
pub const MAX_LINE: usize = 1 << 20;

/// What was read from a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end. Bytes that are not UTF-8 became replacement characters.
    Text(String),
    /// A line longer than [`MAX_LINE`], which is dropped.
    TooLong,
}

/// The next line, or `None` at the end of the input.
///
/// The last line need not be ended. A line that is too long is read to its end and dropped, so
/// that memory stays bounded and the next line is whole.
///
/// # Errors
/// If the stream cannot be read; interrupted reads are tried again.
pub fn next_line(stream: &mut impl BufRead) -> io::Result<Option<Line>> {
    Ok(read(stream)?.map(|(line, _)| line))
}

/// The next line of a program, or `None` at the end of its output: what is not ended there was cut
/// off, and is dropped.
///
/// # Errors
/// As of [`next_line`].
pub fn next_ended_line(stream: &mut impl BufRead) -> io::Result<Option<Line>> {
    Ok(read(stream)?.and_then(|(line, is_ended)| is_ended.then_some(line)))
}

/// The next line, and whether it is ended.
fn read(stream: &mut impl BufRead) -> io::Result<Option<(Line, bool)>> {
    let mut bytes = Vec::new();
    let mut length = 0_usize;
    loop {
        let chunk = match stream.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok((length > 0).then(|| (finish(bytes, length), false)));
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        length = length.saturating_add(part.len());
        if length <= MAX_LINE {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() {
            return Ok(Some((finish(bytes, length), true)));
        }
    }
}

fn finish(bytes: Vec<u8>, length: usize) -> Line {
    if length > MAX_LINE {
        return Line::TooLong;
    }
    Line::Text(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Line, MAX_LINE, next_line};
    use std::io::BufReader;

    fn lines(bytes: &[u8], capacity: usize) -> Vec<Line> {
        let mut stream = BufReader::with_capacity(capacity, bytes);
        std::iter::from_fn(|| next_line(&mut stream).expect("a slice gives no error")).collect()
    }

    fn text(content: &str) -> Line {
        Line::Text(content.to_owned())
    }

    #[test]
    fn lines_end_where_they_should_whatever_the_buffer() {
        for capacity in 1..20 {
            let found = lines(b"uci\n\nposition startpos\r\nstop", capacity);
            let wanted = [text("uci"), text(""), text("position startpos\r"), text("stop")];
            assert_eq!(found, wanted, "buffer of {capacity} bytes");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(lines(b"go\xff\0\n", 8), [text("go\u{fffd}\0")]);
    }

    #[test]
    fn a_line_at_the_cap_passes_and_one_above_is_dropped_whole() {
        let mut bytes = vec![b'a'; MAX_LINE];
        bytes.extend_from_slice(b"\nuci\n");
        let found = lines(&bytes, 8192);
        assert_eq!(found, [Line::Text("a".repeat(MAX_LINE)), text("uci")]);
        bytes.insert(0, b'a');
        assert_eq!(lines(&bytes, 8192), [Line::TooLong, text("uci")]);
    }
}
