//! Where the tests find the server binary, the clients and the tools that `tests/run` installs.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests live one folder below the workspace").to_owned()
}

/// The server binary.
pub fn wadi() -> PathBuf {
    binary("wadi")
}

/// A binary `target/<profile>/<name>`: beside the running program, or a folder above the running test.
pub fn binary(name: &str) -> PathBuf {
    let running = std::env::current_exe().expect("the path of the running program");
    let near = running.ancestors().skip(1).take(2).map(|folder| folder.join(name));
    let found = near.into_iter().find(|binary| binary.is_file());
    found.unwrap_or_else(|| {
        panic!("no {name} near {}: build it with `cargo build -p {name}`, or start with tests/run", running.display())
    })
}

/// A file below `target/test-tools`, where `tests/run` installs what the tests need.
pub fn test_tool(relative: &str) -> PathBuf {
    let tool = workspace().join("target/test-tools").join(relative);
    assert!(tool.exists(), "{} is absent: start with tests/run", tool.display());
    tool
}

/// A file below the `node_modules` that `tests/run` installs in a folder.
pub fn node_module(folder: &Path, relative: &str) -> PathBuf {
    let file = folder.join("node_modules").join(relative);
    assert!(file.exists(), "{} is absent: start with tests/run", file.display());
    file
}
