//! Messages of the language server protocol: headers, an empty line, and a body of stated length.

use std::io::{self, BufRead, Write};

const LENGTH: &str = "content-length:";

/// Longest body that is read: editors send whole documents, but a length that is no length may ask for any
/// amount of memory.
const LONGEST: usize = 1 << 30;

/// Reads the body of the next message; `None` at the end of the input.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut header = String::new();
        if input.read_line(&mut header)? == 0 {
            return Ok(None);
        }
        let header = header.trim().to_ascii_lowercase();
        if let Some(text) = header.strip_prefix(LENGTH) {
            length = text.trim().parse::<usize>().ok();
        }
        if header.is_empty() {
            break;
        }
    }
    let length = length.filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| io::Error::other("a message without its length"))?;
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(body))
}

/// Writes a message.
pub(super) fn write(output: &mut impl Write, body: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(body)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_follow_each_other() {
        let mut sent = Vec::new();
        write(&mut sent, b"{}").expect("memory");
        write(&mut sent, "\u{e4}".as_bytes()).expect("memory");
        let mut input = &sent[..];
        assert_eq!(read(&mut input).expect("a message"), Some(b"{}".to_vec()));
        let second = read(&mut input).expect("a message");
        assert_eq!(second, Some("\u{e4}".as_bytes().to_vec()));
        assert_eq!(read(&mut input).expect("the end"), None);
    }

    #[test]
    fn a_message_without_a_length_is_an_error() {
        assert!(read(&mut &b"Content-Type: x\r\n\r\n{}"[..]).is_err());
        assert!(read(&mut &b"Content-Length: 99999999999999\r\n\r\n"[..]).is_err());
    }
}
