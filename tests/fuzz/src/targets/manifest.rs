//! Manifests as a bucket holds them.

use wadi_stream::Manifest;

/// A manifest.
pub fn manifest(data: &[u8]) {
    let Ok(manifest) = Manifest::from_json(data) else { return };
    let written = manifest.to_json().expect("what was read can be written");
    let again = Manifest::from_json(&written).expect("what was written can be read");
    assert_eq!(again, manifest);
    assert_eq!(again.to_json().as_deref(), Ok(&written[..]), "it is written the same way ever after");
    // What every reader of a manifest does next.
    let state = manifest.state_at_checkpoint();
    assert_eq!(state.incarnation, manifest.incarnation());
    let checkpoint = manifest.log.checkpoint.clone();
    let tombstone = manifest.tombstone(checkpoint.clone(), &state, checkpoint.at, "w".to_owned());
    assert!(tombstone.revision > manifest.revision && tombstone.knows(manifest.incarnation()));
    let _ = manifest.log.followed_by(checkpoint.clone(), manifest.cover(checkpoint.at));
}
