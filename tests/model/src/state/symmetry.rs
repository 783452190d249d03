//! Processes with the same script may be renamed: of the states that differ only in that, one is
//! visited.

use super::{PROCESSES_MAX, State};

impl State {
    /// The same state with its first `alike` processes renamed, in an order that does not depend
    /// on their names but where they are alike in all that is compared.
    ///
    /// Two states that this makes equal are the same up to names, which is all that is needed for
    /// nothing to be missed. Some that are the same may stay apart: that costs time only.
    pub(crate) fn with_canonical_names(self, alike: usize) -> Self {
        let mut order: [usize; PROCESSES_MAX] = std::array::from_fn(|index| index);
        order[..alike].sort_by_key(|index| self.nameless(*index));
        if order.is_sorted() {
            return self;
        }
        let mut names = [0; PROCESSES_MAX];
        for (name, index) in order.iter().enumerate() {
            names[*index] = name;
        }
        self.renamed(&names, &order)
    }

    fn renamed(self, names: &[usize], order: &[usize; PROCESSES_MAX]) -> Self {
        let mut manifest = self.manifest;
        if let Some(name) = names.get(usize::from(manifest.creator)).and_then(|name| u8::try_from(*name).ok()) {
            manifest.creator = name;
        }
        Self {
            manifest,
            logs: self.logs.map(|log| log.renamed(names)),
            flights: self.flights.renamed(names),
            processes: order.map(|index| self.processes[index].renamed(names)),
            ..self
        }
    }

    /// What can be said of a process without names.
    fn nameless(&self, process: usize) -> impl Ord + use<> {
        let here = &self.processes[process];
        let places = self.logs.map(|log| {
            let mine = |records: super::Records| {
                records.iter().find(|(_, record)| record.process() == process).map(|(slot, _)| slot)
            };
            (mine(log.ghost), mine(log.strays()))
        });
        let flights = self.flights.distinct().filter(|put| put.object.record.process() == process);
        let view = here.view.map(|view| (view.incarnation, view.fold.len(), view.validated));
        let counts = (here.task, here.attempt, here.sends, here.landed);
        (places, here.phase, counts, view, flights.map(|put| u32::from(put.slot)).sum::<u32>())
    }
}
