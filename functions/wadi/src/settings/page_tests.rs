//! The table of settings in the README is the one that the command line is made of.

use std::{fmt::Write, path::Path};

use clap::{Arg, CommandFactory};

use super::Cli;

const HEAD: &str = "| flag | environment | default | meaning |\n| --- | --- | --- | --- |\n";

fn rows() -> String {
    let mut command = <Cli as CommandFactory>::command();
    command.build();
    let serve = command.find_subcommand("serve").unwrap();
    let mut rows = String::new();
    for arg in serve.get_arguments().filter(|arg| arg.get_env().is_some()) {
        let flag = arg.get_long().unwrap();
        let environment = arg.get_env().and_then(|name| name.to_str()).unwrap();
        writeln!(rows, "| `--{flag}` | `{environment}` | {} | {} |", default(arg), meaning(arg)).unwrap();
    }
    rows
}

fn default(arg: &Arg) -> String {
    let values: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if values.is_empty() { String::new() } else { format!("`{}`", values.join(",")) }
}

fn meaning(arg: &Arg) -> String {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let choices: Vec<String> =
        arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    if !choices.is_empty() {
        write!(text, " ({})", choices.join(", ")).unwrap();
    }
    text.replace('|', "\\|")
}

/// With `WADI_WRITE_DOCUMENTATION` set, writes the table instead of comparing it.
#[test]
fn the_table_of_settings_is_the_one_that_the_command_line_is_made_of() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(HEAD).unwrap();
    let (table, after) = rest.split_once("\n\n").unwrap();
    if std::env::var_os("WADI_WRITE_DOCUMENTATION").is_some() {
        std::fs::write(&path, format!("{before}{HEAD}{}\n{after}", rows())).unwrap();
        return;
    }
    assert_eq!(format!("{table}\n"), rows(), "run this test with WADI_WRITE_DOCUMENTATION=1 and commit what changed");
}
