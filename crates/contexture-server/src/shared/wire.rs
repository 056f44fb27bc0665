//! A pool of connections, and a way to wait for answers without being asynchronous.

use super::address::Address;
use super::migrate;
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::future::Future;
use std::io;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;

/// Few: a process asks one thing at a time, and a server has some hundred connections for everybody.
const CONNECTIONS: u32 = 4;
/// Longer than a slow network takes, shorter than a person's patience.
const PATIENCE: Duration = Duration::from_secs(10);

/// One for the process, and never dropped: that may not happen on a thread of somebody else's.
static RUNTIME: OnceLock<Runtime> = OnceLock::new();

/// The server, ready to be asked: it is there, and its tables are as this version knows them.
pub struct Wire {
    runtime: &'static Runtime,
    pub pool: PgPool,
}

impl Wire {
    pub fn open(address: &Address) -> Result<Self, WireError> {
        let runtime = runtime()?;
        let options = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
        // Whatever the server is set to: what was acknowledged is on its disk.
        let connect = address.options().options([("synchronous_commit", "on")]);
        wait(runtime, knock(&connect))?;
        let pool = wait(runtime, options.connect_with(connect))?;
        wait(runtime, migrate::migrate(&pool))?;
        Ok(Self { runtime, pool })
    }

    pub fn wait<T: Send>(&self, work: impl Future<Output = T> + Send) -> T {
        wait(self.runtime, work)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // Else the server would notice only later that nobody is there any more.
        let pool = self.pool.clone();
        self.wait(pool.close());
    }
}

/// A pool waits for a server that refuses, as if it were about to start. Nobody here starts one, so a refusal is told at once.
async fn knock(server: &PgConnectOptions) -> Result<(), sqlx::Error> {
    let port = server.get_port();
    let connect = async {
        match server.get_socket() {
            #[cfg(unix)]
            Some(folder) => tokio::net::UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await.map(drop),
            #[cfg(not(unix))]
            Some(_) => Ok(()),
            None => TcpStream::connect((server.get_host(), port)).await.map(drop),
        }
    };
    match timeout(PATIENCE, connect).await {
        Err(_) => Err(sqlx::Error::PoolTimedOut),
        Ok(Err(error)) if error.kind() == io::ErrorKind::ConnectionRefused => Err(error.into()),
        // What else is wrong the driver tells best.
        Ok(_) => Ok(()),
    }
}

fn runtime() -> io::Result<&'static Runtime> {
    if RUNTIME.get().is_none() {
        let new = Builder::new_current_thread().enable_all().build()?;
        if let Err(second) = RUNTIME.set(new) {
            second.shutdown_background();
        }
    }
    RUNTIME.get().ok_or_else(|| io::Error::other("there is no runtime"))
}

/// Within another runtime nothing may be waited for on its thread, so there a thread of its own does it.
fn wait<T: Send>(runtime: &Runtime, work: impl Future<Output = T> + Send) -> T {
    if Handle::try_current().is_err() {
        return runtime.block_on(work);
    }
    std::thread::scope(|scope| match scope.spawn(|| runtime.block_on(work)).join() {
        Ok(value) => value,
        // A panic stays one.
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// Why the server cannot be used. Shows nothing of the address.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    #[error("the store was written by a newer version")]
    Newer,
    #[error("cannot start: {0}")]
    Io(#[from] io::Error),
    #[error("{}", cause(.0))]
    Database(#[from] sqlx::Error),
}

/// In one line.
pub fn cause(error: &sqlx::Error) -> String {
    let text = match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        sqlx::Error::Io(error) => format!("the server cannot be reached: {error}"),
        sqlx::Error::PoolTimedOut => "the server does not answer".into(),
        sqlx::Error::Configuration(_) => "the address is not understood".into(),
        error => error.to_string(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
