use proptest::prelude::*;

use super::*;

/// Account, name and resource. The error is `None` where the path has no shape.
type Parsed = Result<(String, String, Resource), Option<InvalidName>>;

fn plain(Target { stream, resource }: Target) -> Parsed {
    stream.map(|key| (key.account.to_string(), key.name.to_string(), resource)).map_err(Some)
}

fn hosted(path: &str) -> Parsed {
    parse_hosted(path).map_or(Err(None), plain)
}

fn upstream(path: &str) -> Parsed {
    plain(parse_upstream(path))
}

fn is(account: &str, name: &str, resource: Resource) -> (String, String, Resource) {
    (account.to_owned(), name.to_owned(), resource)
}

fn is_stream(key: StreamKey) -> Target {
    Target { stream: Ok(key), resource: Resource::Stream }
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
    const ACCOUNT: Option<InvalidName> = Some(InvalidName::Account);
    const STREAM: Option<InvalidName> = Some(InvalidName::Stream);
    let long = format!("acct/{}", "x".repeat(123));
    for (path, error) in [
        ("", None),
        ("acct", None),
        ("acct/s/", None),
        ("acct/s/other", None),
        ("acct/s/snapshot", None),
        ("acct/s/snapshot/", None),
        ("acct/s/snapshot//parts", None),
        ("acct/s/retention", None),
        ("acct/s/incarnation/1", None),
        ("acct/s/incarnation/1/chunk", None),
        ("acct/s/incarnation/1/chunk/2/3", None),
        ("acct/s/Bootstrap", None),
        ("acct/s/%62ootstrap", None),
        ("BAD/%/other", None),
        ("BAD/%", ACCOUNT),
        ("/s", ACCOUNT),
        ("abc/s", ACCOUNT),
        ("acc%74%2F/s", ACCOUNT),
        ("acct%/s", ACCOUNT),
        ("acct/", STREAM),
        ("acct//bootstrap", STREAM),
        ("acct/a%2Fb", STREAM),
        ("acct/a%00b", STREAM),
        ("acct/%", STREAM),
        ("acct/%zz", STREAM),
        ("acct/%FF", STREAM),
        ("acct/..", STREAM),
        ("acct/%2E%2e", STREAM),
        ("acct/streams", STREAM),
        ("acct/%24x", STREAM),
        (long.as_str(), STREAM),
    ] {
        assert_eq!(hosted(path), Err(error), "{path}");
    }
}

#[test]
fn a_bad_name_does_not_hide_what_is_meant_below_it() {
    for (ending, resource) in endings() {
        let hosted = parse_hosted(&format!("BAD/s{ending}")).unwrap();
        assert_eq!(hosted, Target { stream: Err(InvalidName::Account), resource: resource.clone() }, "{ending}");
        let upstream = parse_upstream(&format!("%{ending}"));
        assert_eq!(upstream, Target { stream: Err(InvalidName::Stream), resource }, "{ending}");
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
        assert_eq!(upstream(path), Err(Some(InvalidName::Stream)), "{path}");
    }
    assert_eq!(upstream(&"x".repeat(1024)), Err(Some(InvalidName::Stream)));
    assert!(upstream(&"%25".repeat(266)).is_ok());
    assert_eq!(upstream(&"%25".repeat(267)), Err(Some(InvalidName::Stream)));
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
            prop_assert_eq!(parse_hosted(&encode_hosted(&key)), Some(is_stream(key)));
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
            let Target { stream, resource } = parse_upstream(&path);
            prop_assert_eq!(resource != Resource::Stream, ends_like_sub_resource(&name));
            prop_assert!(resource != Resource::Stream || stream.unwrap().name == name);
            // Slashes escaped, it is the same name and never a resource.
            let escaped = path.replace('/', "%2F");
            let key = StreamKey { account: Account::default_account(), name };
            prop_assert_eq!(parse_upstream(&escaped), is_stream(key));
        }
    }

    #[test]
    fn never_panics(text in ".*", odd in "(a|%|2F|/|snapshot|parts|incarnation|bootstrap|chunk|\u{e9}){0,9}") {
        for path in [&text, &odd] {
            let _ = (parse_hosted(path), parse_upstream(path));
        }
    }
}
