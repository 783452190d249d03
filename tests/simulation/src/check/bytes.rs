//! Every byte that anybody was ever given is the byte of the log at that offset, and had landed.

use super::Evidence;
use crate::{
    history::{Answer, Call},
    violation::Violation,
};

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    for call in evidence.calls {
        let Answer::Page(Ok(page)) = &call.answer else { continue };
        let broken = |what: &str| Err(violation(call, what));
        let life = evidence
            .ghost
            .names
            .get(&*call.stream)
            .and_then(|name| name.lives.get(&page.stream.incarnation))
            .filter(|life| life.born.is_some());
        let Some(life) = life else { return broken("a page of an incarnation that never was") };
        let (start, next) = (index(page.start.get()), index(page.next.get()));
        match life.bytes.get(start..next) {
            None => return broken("a page reaches beyond what was ever written"),
            Some(_) if page.not_modified => {}
            Some(bytes) if *bytes != *page.body.clone().joined() => {
                return broken("a page holds other bytes than the log");
            }
            Some(_) => {}
        }
        let mut end = 0;
        let landed = life.records.iter().find(|record| {
            end += record.payload.len();
            end >= next
        });
        if next > 0 && landed.is_none_or(|record| record.when.tick > call.end()) {
            return broken("a page holds bytes that had not landed");
        }
    }
    Ok(())
}

fn violation(call: &Call, what: &str) -> Violation {
    Violation::new("bytes never change", format!("call {}: {what}", call.number)).of_call(call.number)
}

fn index(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
