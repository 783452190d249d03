//! Holding a request still while a test does something else.

use tokio::sync::watch;

/// A test's hold on one request. Dropping it releases the request.
#[derive(Debug)]
pub struct Hold {
    arrived: watch::Receiver<bool>,
    released: watch::Sender<bool>,
}

/// The request's side of a [`Hold`].
#[derive(Clone, Debug)]
pub(super) struct Gate {
    arrived: watch::Sender<bool>,
    released: watch::Receiver<bool>,
}

pub(super) fn gate() -> (Hold, Gate) {
    let (arrived_sender, arrived) = watch::channel(false);
    let (released, released_receiver) = watch::channel(false);
    (Hold { arrived, released }, Gate { arrived: arrived_sender, released: released_receiver })
}

impl Hold {
    /// Waits until a request is held. Never ends when the rule was cleared before one came.
    pub async fn arrived(&mut self) {
        if self.arrived.wait_for(|arrived| *arrived).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Lets the request go on, now or when it comes.
    pub fn release(self) {
        self.released.send_replace(true);
    }
}

impl Gate {
    pub(super) async fn wait(&self) {
        self.arrived.send_replace(true);
        let mut released = self.released.clone();
        // An error says that the hold was dropped, which releases too.
        let _ = released.wait_for(|released| *released).await;
    }
}
