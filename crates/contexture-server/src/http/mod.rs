//! The operations over HTTP, for the panel and for programs on this machine.
//!
//! Takes a [`Door`] and an address; serves until it is told to stop. Every route is behind the `guard`; what an operation does
//! is in [`contexture::ops`], and what it answers in [`contexture::answers`]: here one is translated into the other. Listens on loopback
//! unless somebody names another address by hand.

mod assets;
mod events;
mod openapi;
mod operations;
mod router;
mod workbenches;

pub use crate::transport::connection::Limits;
pub use crate::transport::guard::Names;
pub use crate::transport::token::Secret;

use crate::transport::connection;
use crate::transport::guard::Guard;
use crate::transport::shutdown::Shutdown;
use contexture::ops::loom::KeyOf;
use contexture::ops::{Door, OpError};
use contexture_providers::Key;
use events::Events;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use workbenches::Workbenches;

/// What is asked behind `/api/`, by name.
pub fn operation_names() -> impl Iterator<Item = &'static str> {
    operations::all().iter().map(|operation| operation.name)
}

/// A way to find a key.
pub type Keys = Arc<dyn Fn(KeyOf) -> Result<Option<Key>, OpError> + Send + Sync>;

pub struct Options {
    pub listen: SocketAddr,
    pub keys: Keys,
    pub limits: Limits,
}

/// What all requests share.
pub(crate) struct Served {
    door: Door,
    guard: Guard,
    keys: Keys,
    workbenches: Workbenches,
    events: Events,
    /// Operations use all cores and hold what they read: more of them at once would only take more memory.
    turns: Arc<Semaphore>,
    /// Rises with everything that changes on disk.
    generation: Arc<AtomicU64>,
    limits: Limits,
    shutdown: Shutdown,
}

/// One call of an operation: what the server shares, and a door of its own.
struct Call<'a> {
    served: &'a Served,
    door: Door,
}

/// A server that listens already.
pub struct Server {
    listener: TcpListener,
    served: Arc<Served>,
    address: SocketAddr,
    token: Secret,
}

const TURNS: usize = 4;

impl Server {
    pub async fn bind(door: Door, options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind(options.listen).await?;
        let address = listener.local_addr()?;
        let token = Secret::random()?;
        // A browser sends a cookie to every port of a host: what it opens is this project on this port and nothing else.
        let project = door.root_paths().into_iter().next().unwrap_or_default();
        let project = project.canonicalize().unwrap_or(project);
        let session = match &door.env.data_dir {
            Some(folder) => Secret::load_or_create(folder)?
                .for_one(&[project.as_os_str().as_encoded_bytes(), &address.port().to_le_bytes()]),
            None => Secret::random()?,
        };
        let generation = Arc::new(AtomicU64::new(1));
        let events = Events::watch(&door, Arc::clone(&generation));
        let served = Served {
            guard: Guard::new(address, token.clone(), session),
            keys: options.keys,
            workbenches: Workbenches::new()?,
            events,
            turns: Arc::new(Semaphore::new(TURNS)),
            generation,
            limits: options.limits,
            shutdown: Shutdown::default(),
            door,
        };
        Ok(Self { listener, served: Arc::new(served), address, token })
    }

    /// What a person opens.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.reveal())
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a program puts into its `Authorization` header.
    pub fn token(&self) -> &Secret {
        &self.token
    }

    /// What is said beside the address.
    pub fn note(&self) -> Option<&'static str> {
        self.served.events.note()
    }

    /// Serves until `stop` is done; what is under way then is finished.
    pub async fn run(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let router = router::router(Arc::clone(&self.served));
        connection::accept(self.listener, router, self.served.limits, &self.served.shutdown, stop).await
    }
}

impl Served {
    /// The door of one operation, with the time of now.
    fn door(&self) -> Door {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        let mut door = self.door.clone();
        door.env.now = now;
        door.progress = Arc::default();
        door
    }
}
