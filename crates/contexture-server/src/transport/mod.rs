//! What both servers share, the one of the panel and the one of the Model Context Protocol: connections with their limits of time, who is
//! let in, and the answers that are not an operation's.

pub mod answer;
pub mod body_timeout;
pub mod connection;
pub mod guard;
pub mod shutdown;
pub mod token;
