//! The workspace keeps its structure: layers, small files, documented modules, no shortcuts.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use wadi_tests::sources::{self, Source};

/// The crates from the lowest layer up: each may use those before it only.
const LAYERS: [&str; 11] = [
    "wadi-protocol",
    "wadi-store",
    "wadi-stream",
    "wadi-access",
    "wadi-http",
    "wadi-settings",
    "wadi-lambda",
    "wadi",
    "stream",
    "seal",
    "sweep",
];

/// What the lowest layer, which decides and does nothing else, has no use for.
const NOT_IN_PROTOCOL: [&str; 4] = ["tokio", "axum", "aws", "rand"];

/// The most lines of a source file.
const MOST_LINES: usize = 500;

/// Less than this is the median of the lines of source files.
const MEDIAN_LINES: usize = 200;

/// Tables and generated files, which may be longer.
const MAY_BE_LONG: [&str; 0] = [];

/// Files of the program's start-up, which may end it.
const START_UP: [&str; 1] = ["functions/wadi/src/main.rs"];

/// Every Rust source of the workspace.
fn all_sources() -> Vec<Source> {
    ["shared", "functions", "tests"].iter().flat_map(|top| sources::rust_sources(top)).collect()
}

/// The names of the packages that a manifest depends on; `[dev-dependencies]` only with `dev`.
fn dependencies(manifest: &str, dev: bool) -> Vec<String> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            let (kind, name) = section.split_once("dependencies").unwrap_or(("none", ""));
            inside = (kind.is_empty() || kind == "build-" || (dev && kind == "dev-")) && name.is_empty();
            names.extend(name.strip_prefix('.').map(str::to_owned));
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            names.extend(line.split(['.', '=', ' ']).next().map(str::to_owned));
        }
    }
    names
}

/// The manifests of the product's crates, by package name.
fn crates() -> BTreeMap<String, String> {
    let manifests = ["shared", "functions"].iter().flat_map(|top| sources::manifests(top));
    manifests.map(|manifest| (package_name(&manifest), manifest.text)).collect()
}

fn package_name(manifest: &Source) -> String {
    let line = manifest.text.lines().find_map(|line| line.strip_prefix("name = "));
    line.unwrap_or_else(|| panic!("{} names no package", manifest.path)).trim_matches('"').to_owned()
}

/// Panics with all the complaints, if there are any.
fn no_complaints(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn crates_depend_downwards_only() {
    let layer = |name: &str| LAYERS.iter().position(|&layer| layer == name);
    let mut complaints = Vec::new();
    for (name, manifest) in crates() {
        let Some(own) = layer(&name) else {
            complaints.push(format!("{name} is in no layer: add it to LAYERS"));
            continue;
        };
        let upwards = dependencies(&manifest, true).into_iter().filter(|used| layer(used).is_some_and(|at| at >= own));
        complaints.extend(upwards.map(|used| format!("{name} depends on {used}, which is not below it")));
    }
    no_complaints(&complaints);
}

#[test]
fn the_protocol_does_nothing_but_decide() {
    let all = crates();
    let manifest = all.get("wadi-protocol").expect("a crate wadi-protocol");
    let found: Vec<String> = dependencies(manifest, false)
        .into_iter()
        .filter(|used| NOT_IN_PROTOCOL.iter().any(|not| used == not || used.starts_with(&format!("{not}-"))))
        .collect();
    assert!(found.is_empty(), "wadi-protocol depends on {found:?}");
}

#[test]
fn files_are_short() {
    let mut lengths = Vec::new();
    let mut complaints = Vec::new();
    for source in all_sources() {
        let lines = source.text.lines().count();
        if lines > MOST_LINES && !MAY_BE_LONG.contains(&source.path.as_str()) {
            complaints.push(format!("{} has {lines} lines, more than {MOST_LINES}", source.path));
        }
        lengths.push(lines);
    }
    no_complaints(&complaints);
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median < MEDIAN_LINES, "the median of {} files is {median} lines", lengths.len());
}

#[test]
fn every_library_module_says_what_it_is() {
    let modules = ["shared", "functions"].iter().flat_map(|top| sources::product_sources(top));
    let silent: Vec<String> =
        modules.filter(|source| !source.text.starts_with("//!")).map(|source| source.path).collect();
    assert!(silent.is_empty(), "these begin with no `//!` line: {silent:?}");
}

#[test]
fn nothing_panics_for_convenience() {
    let mut complaints = Vec::new();
    for source in ["shared", "functions"].iter().flat_map(|top| sources::product_sources(top)) {
        if !START_UP.contains(&source.path.as_str()) {
            complaints.extend(uses(&source, &[".unwrap()", ".expect("]));
        }
    }
    no_complaints(&complaints);
}

#[test]
fn libraries_do_not_print() {
    let complaints: Vec<String> = sources::product_sources("shared")
        .iter()
        .flat_map(|source| uses(source, &["println!", "print!", "eprintln!", "eprint!", "dbg!"]))
        .collect();
    no_complaints(&complaints);
}

/// A generator in memory goes on alike in two processes that were restored from one snapshot.
#[test]
fn ids_are_drawn_from_the_system() {
    let complaints: Vec<String> = ["shared", "functions"]
        .iter()
        .flat_map(|top| sources::product_sources(top))
        .flat_map(|source| uses(&source, &["rand::random", "rand::rng()", "ThreadRng", "StdRng", "SmallRng"]))
        .collect();
    no_complaints(&complaints);
}

/// Where the product lines of a source have one of `texts`.
fn uses(source: &Source, texts: &[&str]) -> Vec<String> {
    let lines = source.product_lines().into_iter();
    lines
        .filter(|(_, line)| texts.iter().any(|text| line.contains(text)))
        .map(|(number, line)| format!("{}:{number}: {}", source.path, line.trim()))
        .collect()
}

#[test]
fn dependencies_are_found_in_every_form() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\nb = \"1\"\n# c\n\n[dependencies.d]\n\
                    version = \"1\"\n[dev-dependencies]\ne = { path = \"e\" }\n[features]\nf = []\n";
    assert_eq!(dependencies(manifest, false), ["a", "b", "d"]);
    assert_eq!(dependencies(manifest, true), ["a", "b", "d", "e"]);
}
