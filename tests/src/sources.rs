//! The sources of the workspace, for tests of its structure.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::tools;

/// A source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path below the workspace.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// The lines that are part of the product: no comments, and no items for tests only.
    pub fn product_lines(&self) -> Vec<(usize, &str)> {
        let mut lines = self.text.lines().enumerate();
        let mut kept = Vec::new();
        while let Some((index, line)) = lines.next() {
            let code = line.trim();
            if code == "#[cfg(test)]" {
                skip_item(&mut lines);
            } else if !code.starts_with("//") {
                kept.push((index + 1, line));
            }
        }
        kept
    }

    /// The files, without their `.rs`, of the modules that this one declares for tests only.
    fn test_modules(&self) -> Vec<String> {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let own = match file {
            "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
            _ => self.path.trim_end_matches(".rs").to_owned(),
        };
        let mut modules = Vec::new();
        for item in self.text.split("#[cfg(test)]").skip(1).map(str::trim_start) {
            let file = item.strip_prefix("#[path = \"").and_then(|rest| rest.split_once('"'));
            let item = ["pub(crate) ", "pub(super) "].iter().find_map(|word| item.strip_prefix(word)).unwrap_or(item);
            let module = item.strip_prefix("mod ").and_then(|rest| rest.split_once(';'));
            match (file, module) {
                (Some((file, _)), _) => modules.push(format!("{folder}/{}", file.trim_end_matches(".rs"))),
                (_, Some((name, _))) if !name.contains('{') => modules.push(format!("{own}/{name}")),
                _ => {}
            }
        }
        modules
    }
}

/// Skips one item: up to the brace that closes it, or the semicolon of one without a body.
fn skip_item<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) {
    let mut depth = 0;
    for (_, line) in lines {
        depth += line.matches('{').count();
        depth -= line.matches('}').count().min(depth);
        let item_ends = line.contains('}') || line.trim_end().ends_with(';');
        if depth == 0 && item_ends {
            return;
        }
    }
}

/// Every Rust source in a top folder of the workspace.
pub fn rust_sources(top: &str) -> Vec<Source> {
    files(&tools::workspace().join(top), &|path| path.extension().is_some_and(|extension| extension == "rs"))
}

/// The sources of a top folder's crates, without those that are compiled for tests only.
pub fn product_sources(top: &str) -> Vec<Source> {
    let mut sources = rust_sources(top);
    let test_modules: Vec<String> = sources.iter().flat_map(Source::test_modules).collect();
    sources.retain(|source| {
        let module = source.path.trim_end_matches(".rs");
        let for_tests =
            |test: &String| module.strip_prefix(test).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        module.contains("/src/") && !test_modules.iter().any(for_tests)
    });
    sources
}

/// Every `Cargo.toml` in a top folder of the workspace.
pub fn manifests(top: &str) -> Vec<Source> {
    files(&tools::workspace().join(top), &|path| path.ends_with("Cargo.toml"))
}

/// The files below `dir` that `wanted` picks, sorted by path; what is built or installed is left out.
fn files(dir: &Path, wanted: &dyn Fn(&Path) -> bool) -> Vec<Source> {
    let mut found = Vec::new();
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder's entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.ends_with("target") || path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path, wanted));
        } else if wanted(&path) {
            found.push(read(&path));
        }
    }
    found
}

fn read(path: &Path) -> Source {
    let root = tools::workspace();
    let below = path.strip_prefix(&root).expect("a path in the workspace");
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Source { path: below.display().to_string(), text }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn test_items_and_comments_are_no_product_lines() {
        let text =
            "a\n// b\n#[cfg(test)]\nmod tests {\n    fn c() { 1 }\n\n    fn d() {}\n}\ne\n#[cfg(test)]\nmod f;\ng\n";
        let source = Source { path: String::new(), text: text.to_owned() };
        assert_eq!(source.product_lines(), [(1, "a"), (9, "e"), (12, "g")]);
    }

    #[test]
    fn modules_for_tests_are_known_by_their_declaration() {
        let text = "mod a;\n#[cfg(test)]\nmod b;\n#[cfg(test)]\n#[path = \"c_tests.rs\"]\nmod tests;\n#[cfg(test)]\nmod d {}\n#[cfg(test)]\npub(crate) mod e;\n";
        let source = |path: &str| Source { path: path.to_owned(), text: text.to_owned() };
        assert_eq!(source("x/src/lib.rs").test_modules(), ["x/src/b", "x/src/c_tests", "x/src/e"]);
        assert_eq!(source("x/src/y.rs").test_modules(), ["x/src/y/b", "x/src/c_tests", "x/src/y/e"]);
    }
}
