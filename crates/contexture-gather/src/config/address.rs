//! The address of a store, which may hold a password: read where it is needed, masked wherever it is shown.

use std::fmt;

/// Shown and logged without what may be secret in it.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl(String);

impl StoreUrl {
    /// The address as it is written in settings: a path, `sqlite:` with a path, or `postgres://…`.
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// All of it, for whoever opens the store.
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&mask_passwords(&self.0))
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

const MASK: &str = "***";
/// Settings behind a `?` whose values are no secrets. A misspelt `password` is not among them.
const PLAIN: [&str; 7] = ["application_name", "dbname", "host", "hostaddr", "port", "sslmode", "user"];

/// The same address without passwords. Rather too much is masked than too little.
fn mask_passwords(url: &str) -> String {
    // A file has none.
    let Some((scheme, rest)) = url.split_once(':').filter(|(scheme, _)| scheme.len() > 1 && *scheme != "sqlite") else {
        return url.to_owned();
    };
    let Some(rest) = rest.strip_prefix("//") else { return format!("{scheme}:{MASK}") };
    // A password may hold any character, also those that should have been escaped. Where it is not certain which part of the
    // address it is, nothing is shown.
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (user, rest) = match (rest.matches('@').count(), rest.split_once('@')) {
        (0, _) | (_, None) => (String::new(), rest),
        (1, Some((who, rest))) if authority.contains('@') => {
            let user = who.split_once(':').map_or_else(|| format!("{who}@"), |(user, _)| format!("{user}:{MASK}@"));
            (user, rest)
        }
        (_, Some(_)) => return format!("{scheme}://{MASK}"),
    };
    let (place, query) = match rest.split_once('?') {
        Some((place, query)) => (place, Some(query)),
        None => (rest, None),
    };
    let pair = |pair: &str| match pair.split_once('=') {
        Some((key, _)) if PLAIN.contains(&key) => pair.to_owned(),
        Some(("password", _)) => format!("password={MASK}"),
        Some(_) | None => MASK.to_owned(),
    };
    let query = query.map(|query| format!("?{}", query.split('&').map(pair).collect::<Vec<_>>().join("&")));
    format!("{scheme}://{user}{place}{}", query.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_secret_stays() {
        for url in ["sqlite:trees.db", "trees.db", "C:\\trees.db", "postgres://ann@db:5432/team?sslmode=require"] {
            assert_eq!(StoreUrl::new(url).to_string(), url);
        }
    }

    #[test]
    fn passwords_are_masked_wherever_they_stand() {
        for (url, shown) in [
            ("postgres://ann:hidden@db/team", "postgres://ann:***@db/team"),
            ("postgres://ann:hid@den/hid?den#hidden@db/team", "postgres://***"),
            ("postgres://db/team?user=ann&password=hidden", "postgres://db/team?user=ann&password=***"),
            ("postgres://ann:hid/den@db/team", "postgres://***"),
            ("postgres://db/team?password=hid@den", "postgres://***"),
            ("postgres://db/team?pasword=hidden&hidden", "postgres://db/team?***&***"),
            ("postgres:ann:hidden@db", "postgres:***"),
        ] {
            assert_eq!(StoreUrl::new(url).to_string(), shown);
            assert_eq!(format!("{:?}", StoreUrl::new(url)), shown);
            assert_eq!(StoreUrl::new(url).secret(), url);
        }
    }

    proptest! {
        #[test]
        fn no_password_is_shown(password in "[!-~]{1,12}x7Q[!-~]{0,12}", user in "[a-z]{0,4}", in_query in any::<bool>()) {
            prop_assume!(!in_query || !password.contains('&'));
            let url = if in_query {
                format!("postgres://{user}@host/db?password={password}")
            } else {
                format!("postgres://{user}:{password}@host/db?sslmode=prefer")
            };
            prop_assert!(!StoreUrl::new(url).to_string().contains("x7Q"));
        }
    }
}
