//! Streams whose beginning is let go of, in tests.

use bytes::Bytes;
use wadi_protocol::{Offset, ReadFrom, Refusal, RetentionRequest};

use super::{Process, World, append_bytes, key};

pub const MIB: u64 = 1 << 20;

/// A cell of the grid.
pub const CELL: u64 = 4 * MIB;

/// A mebibyte that no other is like.
pub fn mib(number: u64) -> Bytes {
    Bytes::from(vec![b'a' + u8::try_from(number).unwrap(); 1 << 20])
}

/// The bytes of several of them.
pub fn mibs(numbers: std::ops::Range<u64>) -> Vec<u8> {
    numbers.flat_map(mib).collect()
}

impl Process {
    /// Appends the mebibytes with these numbers to `s`.
    pub async fn append_mibs(&self, numbers: std::ops::Range<u64>) {
        for number in numbers {
            self.write("s", append_bytes(mib(number))).await.unwrap();
        }
    }

    /// Lets go of what `s` holds before `from`, for which a snapshot there stands.
    pub async fn let_go(&self, from: u64) {
        self.publish("s", from, "state").await.unwrap();
        let request = RetentionRequest { incarnation: None, offset: Offset::new(from) };
        assert_eq!(self.engine.retain(&key("s"), request).await.unwrap().retained, Offset::new(from));
    }

    /// Whether what `s` holds before `retained` is refused, and the byte there is not.
    pub async fn serves_from(&self, retained: u64) -> bool {
        let below = self.read_page("s", ReadFrom::At(Offset::new(retained - 1))).await;
        let from = self.read_page("s", ReadFrom::At(Offset::new(retained))).await;
        matches!(below, Err(Refusal::Gone { retained: told, .. }) if told.get() == retained) && from.is_ok()
    }
}

impl World {
    /// A process that wrote `count` MiB to `s`.
    pub async fn filled(&self, count: u64) -> Process {
        let process = self.process();
        process.create("s").await.unwrap();
        process.append_mibs(0..count).await;
        process
    }

    /// The cells of `s` whose chunks are in the bucket, by number.
    pub async fn chunks(&self) -> Vec<u64> {
        let keys = self.keys(&format!("{}/chunk/", self.prefix("s").await), "").await;
        let start = |key: &wadi_store::ObjectKey| key.as_str().rsplit('/').next().unwrap().parse::<u64>().unwrap();
        keys.iter().map(|key| start(key) / CELL).collect()
    }

    /// What a verification finds wrong with `s`.
    pub async fn problems(&self) -> Vec<String> {
        self.process().engine.verify(&key("s")).await.unwrap().problems
    }
}
