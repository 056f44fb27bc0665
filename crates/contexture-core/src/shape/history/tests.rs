//! Repairs of conversations.
