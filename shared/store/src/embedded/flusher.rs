//! The thread that writes generations of changes to the database, one at a time.

use std::{
    io,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    thread,
};

use redb::Database;

use super::{
    commit::commit,
    layers::Layers,
    object::{Mark, Rows},
    options::BeforeCommit,
    snapshot::Snapshot,
};

/// A generation and where it leads.
type Order = (Arc<Rows>, Mark);

/// The thread, as the writer sees it. Dropped, it ends the thread, after the generation it has.
pub(super) struct Flusher {
    /// `None` only while it is being dropped.
    orders: Option<Sender<Order>>,
    done: Receiver<Result<(), redb::Error>>,
    busy: bool,
    thread: Option<thread::JoinHandle<()>>,
}

impl Flusher {
    /// Starts the thread.
    pub(super) fn spawn(database: Arc<Database>, layers: Arc<Layers>, before_commit: BeforeCommit) -> io::Result<Self> {
        let (orders, ordered) = channel::<Order>();
        let (tell, done) = channel();
        let run = move || {
            for (rows, mark) in ordered {
                let ready = before_commit().map_err(redb::Error::from);
                let flushed = ready.and_then(|()| flush(&database, &layers, &rows, mark));
                if tell.send(flushed).is_err() {
                    break;
                }
            }
        };
        let thread = Some(thread::Builder::new().name("wadi-store-flusher".to_owned()).spawn(run)?);
        Ok(Self { orders: Some(orders), done, busy: false, thread })
    }

    /// True when it can take a generation at once.
    pub(super) fn is_idle(&mut self) -> Result<bool, redb::Error> {
        if self.busy {
            match self.done.try_recv() {
                Ok(flushed) => {
                    self.busy = false;
                    flushed?;
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return Err(stopped()),
            }
        }
        Ok(!self.busy)
    }

    /// Waits until it has written what it has.
    pub(super) fn wait(&mut self) -> Result<(), redb::Error> {
        if self.busy {
            self.busy = false;
            self.done.recv().map_err(|_| stopped())??;
        }
        Ok(())
    }

    /// Hands it a generation. It must be idle.
    pub(super) fn start(&mut self, rows: Arc<Rows>, mark: Mark) -> Result<(), redb::Error> {
        let orders = self.orders.as_ref().ok_or_else(stopped)?;
        orders.send((rows, mark)).map_err(|_| stopped())?;
        self.busy = true;
        Ok(())
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn flush(database: &Arc<Database>, layers: &Layers, rows: &Rows, mark: Mark) -> Result<(), redb::Error> {
    commit(database, rows, mark)?;
    layers.settle(Snapshot::of(database)?);
    Ok(())
}

fn stopped() -> redb::Error {
    io::Error::other("the thread that writes the database stopped").into()
}
