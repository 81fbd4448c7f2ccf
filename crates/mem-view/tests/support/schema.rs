//! Validates JSON documents against the schemas in `schema`. The schemas are open, because
//! documents may gain keys. The tests close them first, so that a key missing from the schema fails
//! a test.

use serde_json::{Value, json};

/// Names and texts of all schemas.
pub(crate) const SCHEMAS: [(&str, &str); 7] = [
    ("accesses", include_str!("../../schema/accesses.json")),
    ("diff", include_str!("../../schema/diff.json")),
    ("levels", include_str!("../../schema/levels.json")),
    ("plan", include_str!("../../schema/plan.json")),
    ("table", include_str!("../../schema/table.json")),
    ("trace", include_str!("../../schema/trace.json")),
    ("tradeoff", include_str!("../../schema/tradeoff.json")),
];

/// Returns the schema called `name`.
pub(crate) fn schema(name: &str) -> Value {
    let found = SCHEMAS.iter().find(|(own, _)| *own == name);
    let (_, text) = found.expect("a schema of this name");
    serde_json::from_str(text).expect("a schema is JSON")
}

/// Parses and validates a document against the closed schema called `name`.
///
/// # Panics
/// With the first errors, if the document is invalid.
pub(crate) fn document(name: &str, text: &str) -> Value {
    let document: Value = serde_json::from_str(text).expect("a document is JSON");
    let mut closed = schema(name);
    close(&mut closed);
    let validator = jsonschema::validator_for(&closed).expect("a schema is valid");
    let errors = validator.iter_errors(&document);
    let errors: Vec<String> = errors
        .take(5)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        errors.is_empty(),
        "no document of schema '{name}':\n{}",
        errors.join("\n")
    );
    document
}

/// Forbids keys that a schema does not list.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            keys.values_mut().for_each(close);
            if keys.get("properties").is_some_and(Value::is_object) && keys.contains_key("type") {
                keys.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
