//! Where the server is, and who asks. What may be shown of it is its name; the rest stays inside.

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;
use std::fmt;
use std::str::FromStr;

/// Shown as `postgres://user@host:port/database`, without a password or anything else.
#[derive(Clone)]
pub struct Address {
    options: Box<PgConnectOptions>,
    name: String,
}

/// Says what is wrong with an address and shows nothing of it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

/// What may stand behind the `?`. Others would be logged by the driver with their values, and one may be a password whose
/// name is misspelt.
const KNOWN: [&str; 13] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

impl Address {
    pub fn parse(url: &str) -> Result<Self, AddressError> {
        let query = url.split_once('?').map_or("", |(_, query)| query).split('#').next().unwrap_or_default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let key = pair.split('=').next().unwrap_or_default();
            if !KNOWN.contains(&key) {
                let known = KNOWN.map(|known| format!("`{known}`")).join(", ");
                return Err(AddressError(format!("an unknown word stands behind `?`; known are {known}")));
            }
        }
        let unreadable =
            || AddressError("it cannot be read; it looks like `postgres://USER:PASSWORD@HOST:PORT/DATABASE`".into());
        // Without the slashes the driver takes all of it for the name of a database.
        if !url.contains("://") {
            return Err(unreadable());
        }
        let options = PgConnectOptions::from_str(url).map_err(|_| unreadable())?;
        let host = match options.get_socket() {
            Some(socket) => socket.to_string_lossy().into_owned(),
            None => options.get_host().to_owned(),
        };
        let (user, port) = (options.get_username(), options.get_port());
        let name = format!("postgres://{user}@{host}:{port}/{}", options.get_database().unwrap_or(user));
        // Statements are not logged: their order and times would say nothing that our own logs do not.
        let options = options.application_name("contexture").disable_statement_logging();
        Ok(Self { options: Box::new(options), name })
    }

    pub(super) fn options(&self) -> PgConnectOptions {
        (*self.options).clone()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_has_no_password() {
        for url in [
            "postgres://ann:hidden@db.example:6000/team",
            "postgresql://ann@db.example:6000/team?password=hidden&sslmode=require",
            "postgres://db.example:6000/team?user=ann&password=hidden",
        ] {
            let address = Address::parse(url).unwrap();
            assert_eq!(address.to_string(), "postgres://ann@db.example:6000/team");
            assert_eq!(format!("{address:?}"), "postgres://ann@db.example:6000/team");
        }
        let socket = Address::parse("postgres:///team?host=/run/pg&user=ann&port=7000").unwrap();
        assert_eq!(socket.to_string(), "postgres://ann@/run/pg:7000/team");
    }

    #[test]
    fn an_error_shows_nothing_of_the_address() {
        for url in [
            "postgres://ann:hidden@db.example:port/team",
            "postgres://ann:hidden@db.example/team?sslmode=hidden",
            "postgres://ann@db.example/team?pasword=hidden",
            "postgres://ann@db.example/team?hidden",
            "postgres:hidden",
            "postgres://[hidden",
        ] {
            let error = Address::parse(url).map(|address| address.to_string()).unwrap_err();
            assert!(!error.to_string().contains("hidden"), "{url}: {error}");
        }
    }
}
