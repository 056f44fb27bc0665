//! Who is let in: the server's own name in `Host`, its own page in `Origin`, and a token, on every route.
//!
//! Takes the head of a request; gives how its sender is known, or why it is sent away. A page of another site that is opened in the same
//! browser has neither our origin nor our cookie; a name that was made to lead here (DNS rebinding) is not our name. No header is
//! ever taken for granted because it is missing, but `Origin` where a token in a header shows that no browser speaks.

use super::token::Secret;
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, Method, Uri};
use std::net::SocketAddr;

pub struct Guard {
    /// For programs, and for the first visit of a browser.
    token: Secret,
    /// For browsers that have been here, where there is something for browsers.
    session: Option<Session>,
    names: Names,
}

struct Session {
    secret: Secret,
    cookie: String,
}

/// Names under which a server may be called. Others are refused, whoever asks.
pub struct Names {
    /// With their port: `127.0.0.1:7777`.
    pub hosts: Vec<String>,
    /// Pages that may ask: `http://127.0.0.1:7777`.
    pub origins: Vec<String>,
}

impl Names {
    pub fn new(address: SocketAddr) -> Self {
        let port = address.port();
        let mut hosts: Vec<String> = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")).to_vec();
        // The address that somebody named to listen on is one of our names as well.
        if !hosts.contains(&address.to_string()) {
            hosts.push(address.to_string());
        }
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Self { hosts, origins }
    }
}

/// How a sender is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientKind {
    /// By the token in a header.
    Program,
    /// By the cookie.
    Browser,
    /// By the token in the address: a browser that gets its cookie now.
    Newcomer,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    Host,
    Origin,
    Token,
}

impl Refusal {
    pub fn message(self) -> (&'static str, &'static str) {
        match self {
            Self::Host => ("the request is for another host", "open the address that `contexture serve` printed"),
            Self::Origin => ("the request comes from another page", "open the address that `contexture serve` printed"),
            Self::Token => {
                ("the token is missing or wrong", "open the address that `contexture serve` printed, token included")
            }
        }
    }
}

impl Guard {
    pub fn new(address: SocketAddr, token: Secret, session: Secret) -> Self {
        // Cookies of one host are shared by all its ports.
        let session = Session { secret: session, cookie: format!("contexture-{}", address.port()) };
        Self { token, session: Some(session), names: Names::new(address) }
    }

    /// For a server that has nothing for browsers.
    pub fn for_programs(address: SocketAddr, token: Secret) -> Self {
        Self { token, session: None, names: Names::new(address) }
    }

    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<ClientKind, Refusal> {
        self.check_host(uri, headers)?;
        self.check_origin(headers)?;
        // `serve --open` opens a file that leads here, and to a browser a file is another site. No other page knows the token.
        if !is_of_this_site(headers) && !self.is_invited(method, uri) {
            return Err(Refusal::Origin);
        }
        let known = self.known(method, uri, headers).ok_or(Refusal::Token)?;
        let is_reading = matches!(*method, Method::GET | Method::HEAD);
        // Browsers name the origin of everything but plain reading.
        if known != ClientKind::Program && !is_reading && !headers.contains_key(ORIGIN) {
            return Err(Refusal::Origin);
        }
        Ok(known)
    }

    /// The names under which it may be called, for services that look at them again.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// What a browser is to send from now on.
    pub fn cookie(&self) -> Option<String> {
        let Session { secret, cookie } = self.session.as_ref()?;
        Some(format!("{cookie}={}; Path=/; HttpOnly; SameSite=Strict", secret.reveal()))
    }

    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut named = headers.get_all(HOST).iter();
        let (first, second) = (named.next(), named.next());
        let host = first.and_then(|host| host.to_str().ok()).ok_or(Refusal::Host)?;
        let is_ours = |name: &str| self.names.hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
        let is_address_ours = uri.authority().is_none_or(|authority| is_ours(authority.as_str()));
        if second.is_some() || !is_ours(host) || !is_address_ours {
            return Err(Refusal::Host);
        }
        Ok(())
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        for origin in headers.get_all(ORIGIN) {
            let is_ours = |name: &str| self.names.origins.iter().any(|origin| origin.eq_ignore_ascii_case(name));
            if !origin.to_str().is_ok_and(is_ours) {
                return Err(Refusal::Origin);
            }
        }
        Ok(())
    }

    /// Whether the token is in the address of the front page.
    fn is_invited(&self, method: &Method, uri: &Uri) -> bool {
        let is_front = self.session.is_some() && *method == Method::GET && uri.path() == "/";
        let mut pairs = uri.query().filter(|_| is_front).unwrap_or_default().split('&');
        pairs.find_map(|pair| pair.strip_prefix("token=")).is_some_and(|token| self.token.is(token))
    }

    fn known(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<ClientKind> {
        if let Some(said) = headers.get(AUTHORIZATION) {
            // Who names a token is not let in by a cookie.
            let (scheme, token) = said.to_str().ok()?.split_once(' ')?;
            if !scheme.eq_ignore_ascii_case("bearer") {
                return None;
            }
            return self.token.is(token.trim()).then_some(ClientKind::Program);
        }
        let session = self.session.as_ref()?;
        let cookies = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        if pairs.any(|(name, value)| name == session.cookie && session.secret.is(value)) {
            return Some(ClientKind::Browser);
        }
        self.is_invited(method, uri).then_some(ClientKind::Newcomer)
    }
}

/// Whether a browser says that the request comes from our own page, or from a person (`none`). Programs do not say.
pub fn is_of_this_site(headers: &HeaderMap) -> bool {
    headers.get_all("sec-fetch-site").iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn the_address_that_is_printed_is_one_of_our_names() {
        for address in ["127.0.0.1:7878", "127.0.0.2:7878", "[::1]:7878", "192.0.2.7:80"] {
            let names = Names::new(address.parse().expect("an address"));
            assert!(names.hosts.iter().any(|host| host == address), "{address}: {:?}", names.hosts);
        }
    }
}
