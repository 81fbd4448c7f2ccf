//! The language server: MLIR's own, in a process of its own, and what it does not know about buffers.
//!
//! MLIR's server answers a hover with the operation as it is printed. This process passes all messages
//! on, and adds to the answer where the plan of the document puts the buffer below the cursor: its level, its
//! addresses, its size and its lifetime. It therefore keeps the texts of open documents.

mod documents;
mod facts;
mod messages;

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use documents::{Documents, Position};

/// The environment variable that tells the inner process that it is MLIR's server.
const INNER: &str = "MEM_LSP_INNER";

/// What both directions share.
#[derive(Default)]
struct State {
    documents: Documents,
    /// Requests that are not answered yet, by the text of their id: document and position.
    hovers: HashMap<String, (String, Position)>,
}

/// Whether this process is to run MLIR's server itself: it is the inner process, or it was asked for
/// something else than to serve an editor, such as its help or its tests.
pub(crate) fn is_inner(n_arguments: usize) -> bool {
    std::env::var_os(INNER).is_some() || n_arguments > 1
}

/// Serves an editor on standard input and output. Returns the exit status.
pub(crate) fn serve() -> i32 {
    match try_serve() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("mem-lsp-server: error: {error}");
            1
        }
    }
}

fn try_serve() -> io::Result<i32> {
    let mut inner = Command::new(std::env::current_exe()?)
        .env(INNER, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let streams = inner.stdin.take().zip(inner.stdout.take());
    let (to_inner, from_inner) = streams.ok_or(io::ErrorKind::BrokenPipe)?;
    let state = &*Box::leak(Box::new(Mutex::new(State::default())));
    // Not joined: it waits for the editor, and the process ends with the inner one.
    std::thread::spawn(move || from_editor(io::stdin().lock(), to_inner, state));
    from_server(BufReader::new(from_inner), io::stdout().lock(), state)?;
    Ok(inner.wait()?.code().unwrap_or(1))
}

/// Passes the messages of the editor on. Ends with the input, and closes the output.
fn from_editor(input: impl Read, mut output: impl Write, state: &Mutex<State>) -> io::Result<()> {
    let mut input = BufReader::new(input);
    while let Some(body) = messages::read(&mut input)? {
        if let Ok(message) = serde_json::from_slice::<Value>(&body) {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.note(&message);
        }
        messages::write(&mut output, &body)?;
    }
    Ok(())
}

/// Passes the messages of the server on, and completes the answers to hovers.
fn from_server(
    mut input: impl io::BufRead,
    mut output: impl Write,
    state: &Mutex<State>,
) -> io::Result<()> {
    while let Some(body) = messages::read(&mut input)? {
        let completed = serde_json::from_slice::<Value>(&body)
            .ok()
            .and_then(|mut message| {
                let asked = {
                    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    state.asked(&message)
                };
                // Without the lock: planning takes time, in which the editor may send changes.
                complete(&mut message, asked?)?;
                serde_json::to_vec(&message).ok()
            });
        messages::write(&mut output, completed.as_ref().unwrap_or(&body))?;
    }
    Ok(())
}

impl State {
    /// Learns from a message of the editor.
    fn note(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("textDocument/hover") => {
                let uri = parameters["textDocument"]["uri"].as_str();
                let position = Position::of(&parameters["position"]);
                if let Some((uri, position)) = uri.zip(position) {
                    let request = (uri.to_owned(), position);
                    self.hovers.insert(message["id"].to_string(), request);
                }
            }
            Some(method) => self.documents.note(method, parameters),
            None => {}
        }
    }

    /// The text and the position that a message of the server answers; `None` if it answers no hover.
    fn asked(&mut self, message: &Value) -> Option<(String, Position)> {
        if !message["method"].is_null() {
            return None;
        }
        let (uri, position) = self.hovers.remove(&message["id"].to_string())?;
        Some((self.documents.text(&uri)?.to_owned(), position))
    }
}

/// Completes an answer to a hover; `None` if it stays as it is.
fn complete(message: &mut Value, (text, position): (String, Position)) -> Option<()> {
    let contents = message.get_mut("result")?.get_mut("contents")?;
    let shown = contents.get("value")?.as_str()?.to_owned();
    let facts = facts::about(&text, position)?;
    contents["value"] = json!(format!("{facts}\n\n---\n\n{shown}"));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "func.func @f(%in: memref<4xf32>, %out: memref<4xf32>) {
  %arena = mem.arena \"sram\", 128 : !mem.arena
  %a = mem.view %arena[64] {name = \"a\"} : !mem.arena -> !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%0 : memref<4xf32>)
  linalg.exp ins(%0 : memref<4xf32>) outs(%out : memref<4xf32>)
  return
}
";

    fn hover(line: u32, character: u32) -> Option<String> {
        let mut state = State::default();
        let document = json!({ "uri": "f", "text": TEXT });
        state.note(
            &json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        );
        let position = json!({ "line": line, "character": character });
        let parameters = json!({ "textDocument": { "uri": "f" }, "position": position });
        state.note(&json!({ "id": 7, "method": "textDocument/hover", "params": parameters }));
        let mut answer = json!({ "id": 7, "result": { "contents": { "value": "the operation" } } });
        let asked = state.asked(&answer)?;
        complete(&mut answer, asked)?;
        let shown = &answer["result"]["contents"]["value"];
        Some(shown.as_str().expect("text").to_owned())
    }

    #[test]
    fn a_hover_shows_level_address_size_and_lifetime() {
        let expected = "**buffer 'a'**: 16 bytes\n\n\
             * in `sram`, at addresses 64 to 80\n\
             * live from step 0 (`linalg.exp`) to step 1 (`linalg.exp`)\n\n---\n\nthe operation";
        // The definition, and a use.
        assert_eq!(hover(2, 3).as_deref(), Some(expected));
        assert_eq!(hover(3, 23).as_deref(), Some(expected));
    }

    #[test]
    fn other_answers_stay() {
        assert_eq!(hover(1, 3), None, "the arena");
        assert_eq!(hover(6, 3), None, "no value");
        assert_eq!(hover(99, 3), None, "no line");
        let other = json!({ "id": 8, "result": null });
        assert_eq!(State::default().asked(&other), None);
    }

    #[test]
    fn messages_pass_through() {
        let mut sent = Vec::new();
        let body = br#"{"id":1,"method":"initialize"}"#;
        messages::write(&mut sent, body).expect("memory");
        let mut passed = Vec::new();
        from_editor(&sent[..], &mut passed, &Mutex::default()).expect("memory");
        assert_eq!(passed, sent);
        let mut back = Vec::new();
        from_server(&sent[..], &mut back, &Mutex::default()).expect("memory");
        assert_eq!(back, sent);
    }
}
