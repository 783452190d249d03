//! Names, in paths and in keys.

use wadi_protocol::{
    Account, Immutable, Resource, StreamKey, StreamName, Target, encode_hosted, encode_upstream,
    ends_like_sub_resource, parse_hosted, parse_upstream,
};

/// A path below a mount, or a name, or a key.
pub fn names(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(Target { stream: Ok(key), resource }) = parse_hosted(text) {
        let path = encode_hosted(&key);
        assert_eq!(parse_hosted(&path), Some(Target { stream: Ok(key.clone()), resource: Resource::Stream }));
        key_again(&key);
        resource_again(&resource);
    }
    let upstream = parse_upstream(text);
    if let Ok(key) = &upstream.stream {
        key_again(key);
        if !ends_like_sub_resource(&key.name) {
            let again = parse_upstream(&encode_upstream(&key.name));
            assert_eq!(again, Target { stream: Ok(key.clone()), resource: Resource::Stream });
        }
    }
    resource_again(&upstream.resource);
    for name in [StreamName::hosted(text), StreamName::upstream(text)].into_iter().flatten() {
        assert_eq!(name.as_str(), text);
        key_again(&StreamKey { account: Account::default_account(), name });
    }
    if let Ok(account) = Account::parse(text) {
        assert_eq!(account.as_str(), text);
    }
    if let Ok(key) = StreamKey::parse_key_text(text) {
        assert_eq!(key.key_text(), text, "a key has one text");
    }
}

/// Keys have texts that lead back to them, and none lies in another's folder.
fn key_again(key: &StreamKey) {
    let text = key.key_text();
    assert_eq!(StreamKey::parse_key_text(&text).as_ref(), Ok(key));
    assert_eq!(text.matches('/').count(), 1, "{text}");
    assert!(text.len() <= 64 + 1 + 3 * key.name.as_str().len(), "{text}");
}

fn resource_again(resource: &Resource) {
    if let Resource::Chunk { token, offset } = resource
        && let Ok(chunk) = Immutable::parse(token, offset)
    {
        assert_eq!((chunk.incarnation.to_string(), chunk.offset.to_string()), (token.clone(), offset.clone()));
    }
}
