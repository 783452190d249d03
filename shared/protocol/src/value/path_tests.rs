use proptest::prelude::*;

use super::*;

type Parsed = Result<(String, String, Resource), PathError>;

fn plain(parsed: Result<(StreamKey, Resource), PathError>) -> Parsed {
    parsed.map(|(key, resource)| (key.account.to_string(), key.name.to_string(), resource))
}

fn hosted(path: &str) -> Parsed {
    plain(parse_hosted(path))
}

fn upstream(path: &str) -> Parsed {
    plain(parse_upstream(path))
}

fn is(account: &str, name: &str, resource: Resource) -> (String, String, Resource) {
    (account.to_owned(), name.to_owned(), resource)
}

/// Every ending with what it names.
fn endings() -> Vec<(&'static str, Resource)> {
    let text = str::to_owned;
    vec![
        ("", Resource::Stream),
        ("/bootstrap", Resource::Bootstrap),
        ("/snapshot/parts", Resource::StagedParts),
        ("/snapshot/007", Resource::Snapshot { offset: text("007") }),
        ("/snapshot/%30", Resource::Snapshot { offset: text("%30") }),
        ("/snapshot/-1", Resource::Snapshot { offset: text("-1") }),
        ("/snapshot/7/parts", Resource::SnapshotParts { offset: text("7") }),
        ("/retention/7", Resource::Retention { offset: text("7") }),
        ("/incarnation/9/chunk/7", Resource::Chunk { token: text("9"), offset: text("7") }),
        ("/incarnation/9/snapshot/7", Resource::ImmutableSnapshot { token: text("9"), offset: text("7") }),
    ]
}

#[test]
fn every_resource_on_both_mounts() {
    for (ending, resource) in endings() {
        assert_eq!(hosted(&format!("acct/s{ending}")), Ok(is("acct", "s", resource.clone())), "{ending}");
        assert_eq!(upstream(&format!("s{ending}")), Ok(is("default", "s", resource.clone())), "{ending}");
        assert_eq!(upstream(&format!("a/b{ending}")), Ok(is("default", "a/b", resource)), "{ending}");
    }
}

#[test]
fn hosted_names() {
    for (path, name) in [
        ("acct/a+b", "a+b"),
        ("acct/e%20f", "e f"),
        ("acct/c%3Fd", "c?d"),
        ("acct/c%23d", "c#d"),
        ("acct/a%252Fb", "a%2Fb"),
        ("acct/%25", "%"),
        ("acct/%C3%A9", "\u{e9}"),
        ("acct/\u{e9}", "\u{e9}"),
        ("acct/bootstrap", "bootstrap"),
        ("acct/snapshot", "snapshot"),
        ("%61cct/%73", "s"),
    ] {
        assert_eq!(hosted(path), Ok(is("acct", name, Resource::Stream)), "{path}");
    }
}

#[test]
fn hosted_refusals() {
    use PathError::{InvalidAccount, InvalidStream, NoSuchRoute};
    let long = format!("acct/{}", "x".repeat(123));
    for (path, error) in [
        ("", NoSuchRoute),
        ("acct", NoSuchRoute),
        ("acct/s/", NoSuchRoute),
        ("acct/s/other", NoSuchRoute),
        ("acct/s/snapshot", NoSuchRoute),
        ("acct/s/snapshot/", NoSuchRoute),
        ("acct/s/snapshot//parts", NoSuchRoute),
        ("acct/s/retention", NoSuchRoute),
        ("acct/s/incarnation/1", NoSuchRoute),
        ("acct/s/incarnation/1/chunk", NoSuchRoute),
        ("acct/s/incarnation/1/chunk/2/3", NoSuchRoute),
        ("acct/s/Bootstrap", NoSuchRoute),
        ("acct/s/%62ootstrap", NoSuchRoute),
        ("BAD/%/other", NoSuchRoute),
        ("BAD/%", InvalidAccount),
        ("/s", InvalidAccount),
        ("abc/s", InvalidAccount),
        ("acc%74%2F/s", InvalidAccount),
        ("acct%/s", InvalidAccount),
        ("acct/", InvalidStream),
        ("acct//bootstrap", InvalidStream),
        ("acct/a%2Fb", InvalidStream),
        ("acct/a%00b", InvalidStream),
        ("acct/%", InvalidStream),
        ("acct/%zz", InvalidStream),
        ("acct/%FF", InvalidStream),
        ("acct/..", InvalidStream),
        ("acct/%2E%2e", InvalidStream),
        ("acct/streams", InvalidStream),
        ("acct/%24x", InvalidStream),
        (long.as_str(), InvalidStream),
    ] {
        assert_eq!(hosted(path), Err(error), "{path}");
    }
}

#[test]
fn upstream_names() {
    for (path, name) in [
        ("a/b", "a/b"),
        ("a%2Fb", "a/b"),
        ("a%2fb", "a/b"),
        ("a%252Fb", "a%2Fb"),
        ("a+b", "a+b"),
        ("c%3Fd", "c?d"),
        ("%25", "%"),
        // Nothing but an ending is a name.
        ("bootstrap", "bootstrap"),
        ("snapshot/parts", "snapshot/parts"),
        ("snapshot/5", "snapshot/5"),
        ("snapshot/5/parts", "snapshot/5/parts"),
        ("retention/5", "retention/5"),
        ("incarnation/1/chunk/5", "incarnation/1/chunk/5"),
        // Escaped, it is no ending.
        ("a%2Fbootstrap", "a/bootstrap"),
        ("a/%62ootstrap", "a/bootstrap"),
        // Nearly an ending.
        ("a/snapshot", "a/snapshot"),
        ("a/retention", "a/retention"),
        ("a/incarnation/1", "a/incarnation/1"),
        ("a/Bootstrap", "a/Bootstrap"),
        ("a/bootstrap/b", "a/bootstrap/b"),
    ] {
        assert_eq!(upstream(path), Ok(is("default", name, Resource::Stream)), "{path}");
    }
    for path in [
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        "a/.",
        "a/%2E%2E/b",
        "__ds/a",
        "%5F_ds",
        "a%00",
        "%",
        "%f",
        "%FF",
        "/bootstrap",
        "a/snapshot/",
        "a/snapshot//parts",
    ] {
        assert_eq!(upstream(path), Err(PathError::InvalidStream), "{path}");
    }
    assert_eq!(upstream(&"x".repeat(1024)), Err(PathError::InvalidStream));
    assert!(upstream(&"%25".repeat(266)).is_ok());
    assert_eq!(upstream(&"%25".repeat(267)), Err(PathError::InvalidStream));
}

#[test]
fn longest_ending_first_and_only_behind_a_name() {
    let text = str::to_owned;
    for (path, name, resource) in [
        ("bootstrap/bootstrap", "bootstrap", Resource::Bootstrap),
        ("a/bootstrap/bootstrap", "a/bootstrap", Resource::Bootstrap),
        ("snapshot/snapshot/parts", "snapshot", Resource::StagedParts),
        ("a/snapshot/snapshot/parts", "a", Resource::SnapshotParts { offset: text("snapshot") }),
        ("a/snapshot/parts/parts", "a", Resource::SnapshotParts { offset: text("parts") }),
        ("incarnation/1/snapshot/5", "incarnation/1", Resource::Snapshot { offset: text("5") }),
        ("a/incarnation/1/snapshot/5", "a", Resource::ImmutableSnapshot { token: text("1"), offset: text("5") }),
        (
            "a/incarnation/1/snapshot/parts",
            "a",
            Resource::ImmutableSnapshot { token: text("1"), offset: text("parts") },
        ),
    ] {
        assert_eq!(upstream(path), Ok(is("default", name, resource)), "{path}");
    }
}

#[test]
fn names_that_end_like_a_resource() {
    for (ending, resource) in endings() {
        let name = StreamName::upstream(&format!("a{ending}")).unwrap();
        assert_eq!(ends_like_sub_resource(&name), resource != Resource::Stream, "{ending}");
    }
    for name in ["bootstrap", "snapshot/5", "a/snapshot", "a/b"] {
        assert!(!ends_like_sub_resource(&StreamName::upstream(name).unwrap()), "{name}");
    }
}

#[test]
fn encoded_paths() {
    let name = StreamName::upstream("a b/%2F\u{e9}?~+").unwrap();
    assert_eq!(encode_upstream(&name), "a%20b/%252F%C3%A9%3F~%2B");
    let key = StreamKey { account: Account::default_account(), name };
    assert_eq!(encode_hosted(&key), "default/a%20b%2F%252F%C3%A9%3F~%2B");
}

proptest! {
    #[test]
    fn hosted_paths_return(text in prop_oneof![".{1,20}", "[a-z%/+.?#\\\\]{1,10}"]) {
        if let Ok(name) = StreamName::hosted(&text) {
            let key = StreamKey { account: Account::parse("acct").unwrap(), name };
            prop_assert_eq!(parse_hosted(&encode_hosted(&key)), Ok((key, Resource::Stream)));
        }
    }

    #[test]
    fn upstream_paths_return(text in prop_oneof![
        ".{1,20}",
        "[a-z%/+.?#\\\\]{1,10}",
        "(a|snapshot|parts|bootstrap|incarnation|/){1,6}",
    ]) {
        if let Ok(name) = StreamName::upstream(&text) {
            let path = encode_upstream(&name);
            let (key, resource) = parse_upstream(&path).unwrap();
            prop_assert_eq!(resource != Resource::Stream, ends_like_sub_resource(&name));
            prop_assert!(resource != Resource::Stream || key.name == name);
            // Slashes escaped, it is the same name and never a resource.
            let escaped = path.replace('/', "%2F");
            let key = StreamKey { account: Account::default_account(), name };
            prop_assert_eq!(parse_upstream(&escaped), Ok((key, Resource::Stream)));
        }
    }

    #[test]
    fn never_panics(text in ".*", odd in "(a|%|2F|/|snapshot|parts|incarnation|bootstrap|chunk|\u{e9}){0,9}") {
        for path in [&text, &odd] {
            let _ = (parse_hosted(path), parse_upstream(path));
        }
    }
}
