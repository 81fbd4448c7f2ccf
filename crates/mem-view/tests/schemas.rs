//! The schemas are valid, reject invalid documents, and agree with `SCHEMA.md`.

#[path = "support/schema.rs"]
mod schema;

use mem_model::{AccessTable, Bytes};
use mem_view::{Tradeoff, TradeoffPoint};
use schema::{SCHEMAS, document, schema};
use serde_json::{Value, json};

#[test]
fn schemas_are_valid() {
    for (name, _) in SCHEMAS {
        let schema = schema(name);
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        let draft = "https://json-schema.org/draft/2020-12/schema";
        assert_eq!(schema["$schema"], draft, "{name}");
    }
}

/// Collects all keys that a schema lists.
fn keys(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(own) => {
            if let Some(Value::Object(properties)) = own.get("properties") {
                found.extend(properties.keys().cloned());
            }
            own.values().for_each(|value| keys(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

#[test]
fn every_key_is_documented() {
    let text = include_str!("../SCHEMA.md");
    for (name, _) in SCHEMAS {
        assert!(text.contains(&format!("`schema/{name}.json`")), "{name}");
        let mut found = Vec::new();
        keys(&schema(name), &mut found);
        for key in found {
            assert!(
                text.contains(&format!("`{key}`")),
                "{name}: '{key}' is not documented"
            );
        }
    }
}

fn curve() -> Tradeoff {
    let point = |budget, makespan| TradeoffPoint {
        budget: Bytes::new(budget),
        least: 110,
        makespan,
        copied: Bytes::new(64),
        n_repeated: 2,
    };
    Tradeoff {
        name: "main".to_owned(),
        ideal: 100,
        peak: Bytes::new(4096),
        widest: Bytes::new(1024),
        points: vec![point(1024, None), point(4096, Some(120))],
    }
}

#[test]
fn a_curve_is_a_document() {
    let json = document("tradeoff", &curve().json());
    let first =
        json!({"budget": 1024, "makespan": null, "least": null, "copied": null, "repeated": null});
    assert_eq!(json["points"][0], first, "it does not run");
    let second =
        json!({"budget": 4096, "makespan": 120, "least": 110, "copied": 64, "repeated": 2});
    assert_eq!(json["points"][1], second);
}

#[test]
fn a_table_of_accesses_is_a_document() {
    // As in the documentation of the format.
    let text = r#"{"version": 1, "function": "main", "clock": 1e9, "budget": 20, "end": 60,
        "accesses": [{"tensor": "a", "step": 0, "bytes": 10, "access": "write", "time": 0}],
        "copies": [{"tensor": "a", "step": 2, "direction": "out", "time": 10, "cycles": 10}],
        "leads": [{"tensor": "a", "step": 4, "cycles": -3}]}"#;
    document("accesses", text);
    let table = AccessTable::parse(text).expect("a table");
    let json = document("accesses", &table.text());
    assert_eq!(json["leads"][0]["cycles"], -3);
}

#[test]
#[should_panic(expected = "no document of schema 'tradeoff'")]
fn a_document_of_another_version_is_refused() {
    document(
        "tradeoff",
        &curve().json().replace("\"version\": 1", "\"version\": 2"),
    );
}

#[test]
#[should_panic(expected = "no document of schema 'tradeoff'")]
fn a_key_that_is_in_no_schema_is_refused() {
    document(
        "tradeoff",
        &curve()
            .json()
            .replace("\"widest\"", "\"wide\": 1, \"widest\""),
    );
}
