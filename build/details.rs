//! What `Options.td` adds to the declarations of options: which are sizes or hierarchies, the values
//! that they accept, ranges of numbers, and examples. Every entry has to name an option that exists.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tblgen::RecordKeeper;
use tblgen::record::Record;

/// The entries of `Options.td`.
pub(crate) struct Details {
    sizes: BTreeSet<String>,
    hierarchies: BTreeSet<String>,
    choices: Vec<Entry>,
    /// Least and largest value of numbers.
    ranges: BTreeMap<String, (i64, i64)>,
    examples: Vec<Entry>,
    /// What has been asked for and found, to find entries that name no option.
    used: RefCell<BTreeSet<String>>,
}

/// An entry for an option of some passes and pipelines; of all if `owners` is empty.
struct Entry {
    owners: Vec<String>,
    option: String,
    values: Vec<String>,
}

/// Kind, accepted values and example of an option.
pub(crate) struct Detail {
    pub(crate) kind: &'static str,
    pub(crate) choices: Vec<String>,
    /// Least and largest value of a number.
    pub(crate) range: (i64, i64),
    pub(crate) example: String,
}

impl Details {
    pub(crate) fn read(records: &RecordKeeper<'_>) -> Self {
        let names = |class: &str| -> BTreeSet<String> {
            let all = records.all_derived_definitions(class);
            all.flat_map(|record| strings(&record, "options")).collect()
        };
        let choices = records
            .all_derived_definitions("Choices")
            .map(|record| Entry {
                owners: strings(&record, "owners"),
                option: string(&record, "option"),
                values: strings(&record, "choices"),
            });
        let examples = records
            .all_derived_definitions("Example")
            .map(|record| Entry {
                owners: strings(&record, "owners"),
                option: string(&record, "option"),
                values: vec![string(&record, "value")],
            });
        let number = |record: &Record<'_>, field: &str| {
            let number = record.int_value(field);
            number.unwrap_or_else(|error| panic!("{field}: {error}"))
        };
        let ranges = records.all_derived_definitions("Range").map(|record| {
            let range = (number(&record, "least"), number(&record, "most"));
            (string(&record, "option"), range)
        });
        Self {
            ranges: ranges.collect(),
            sizes: names("SizeOptions"),
            hierarchies: names("HierarchyOptions"),
            choices: choices.collect(),
            examples: examples.collect(),
            used: RefCell::default(),
        }
    }

    pub(crate) fn is_size(&self, option: &str) -> bool {
        self.sizes.contains(option)
    }

    /// The details of an option of a pass or pipeline. `kind` is the one that its type has.
    pub(crate) fn of(
        &self,
        owner: &str,
        option: &str,
        kind: &'static str,
        default: &str,
    ) -> Detail {
        let use_name = |what: &str| self.used.borrow_mut().insert(what.to_owned());
        let (kind, choices) = if self.sizes.contains(option) {
            use_name(option);
            ("Size", Vec::new())
        } else if self.hierarchies.contains(option) {
            use_name(option);
            ("Hierarchy", Vec::new())
        } else {
            let found = self.find(&self.choices, "choices", owner, option);
            match found {
                Some(found) => ("Choice", found.values.clone()),
                None => (kind, Vec::new()),
            }
        };
        let range = self.ranges.get(option).copied();
        if range.is_some() {
            assert!(kind == "Integer", "Options.td: '{option}' is no number");
            use_name(option);
        }
        let example = self.find(&self.examples, "example", owner, option);
        let example = match example {
            Some(example) => example.values[0].clone(),
            None => derived_example(kind, &choices, default).unwrap_or_else(|| {
                panic!("Options.td has no example of option '{option}' of '{owner}'")
            }),
        };
        Detail {
            kind,
            choices,
            range: range.unwrap_or((i64::MIN, i64::MAX)),
            example,
        }
    }

    /// The entry that names the owner, or else the one that names none.
    fn find<'a>(
        &self,
        entries: &'a [Entry],
        what: &str,
        owner: &str,
        option: &str,
    ) -> Option<&'a Entry> {
        let of_option = || entries.iter().filter(|own| own.option == option);
        let named = of_option().find(|own| own.owners.iter().any(|name| name == owner));
        let found = named.or_else(|| of_option().find(|own| own.owners.is_empty()))?;
        let owners: &[String] = if named.is_some() {
            &[owner.to_owned()]
        } else {
            &[]
        };
        self.used.borrow_mut().insert(key(what, option, owners));
        Some(found)
    }

    /// Fails the build if an entry names no option.
    pub(crate) fn assert_all_are_used(&self) {
        let used = self.used.borrow();
        let ranges = self.ranges.keys();
        for name in self.sizes.iter().chain(&self.hierarchies).chain(ranges) {
            assert!(
                used.contains(name),
                "Options.td: no option is called '{name}'"
            );
        }
        let kinds = [("choices", &self.choices), ("example", &self.examples)];
        for (what, entries) in kinds {
            for own in entries {
                let owners = own.owners.iter().map(std::slice::from_ref);
                let mut keys: Vec<String> =
                    owners.map(|owner| key(what, &own.option, owner)).collect();
                if keys.is_empty() {
                    keys.push(key(what, &own.option, &[]));
                }
                for key in keys {
                    assert!(used.contains(&key), "Options.td: no option for the {key}");
                }
            }
        }
    }
}

fn key(what: &str, option: &str, owners: &[String]) -> String {
    match owners.first() {
        Some(owner) => format!("{what} of '{option}' of '{owner}'"),
        None => format!("{what} of '{option}'"),
    }
}

/// A value other than the default one, where the kind has one.
fn derived_example(kind: &str, choices: &[String], default: &str) -> Option<String> {
    match kind {
        "Boolean" => Some((default != "true").to_string()),
        "Integer" => Some((default.parse::<i64>().ok()? + 1).to_string()),
        "Choice" => choices.iter().find(|own| *own != default).cloned(),
        _ => None,
    }
}

fn string(record: &Record<'_>, field: &str) -> String {
    record
        .string_value(field)
        .unwrap_or_else(|error| panic!("{field}: {error}"))
}

fn strings(record: &Record<'_>, field: &str) -> Vec<String> {
    let all = record.list_of_strings_value(field);
    let all = all.unwrap_or_else(|error| panic!("{field}: {error}"));
    all.into_iter().map(str::to_owned).collect()
}
