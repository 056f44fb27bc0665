//! Serves one client over standard input and output until it goes away.

use super::Mcp;
use crate::ops::OpError;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;

/// Blocks until the client closes its end. What is still going on then is given a few seconds and dropped.
pub fn serve_stdio(mcp: Mcp) -> Result<(), OpError> {
    let runtime = super::http::runtime()?;
    let served = runtime.block_on(async {
        match mcp.serve(stdio_pipes()).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| failed(&error.to_string())),
            // It went away before it said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(failed(&error.to_string())),
        }
    });
    // An operation that nobody waits for must not keep the process.
    runtime.shutdown_background();
    served
}

fn failed(cause: &str) -> OpError {
    OpError::failed(format!("the client does not speak the protocol: {cause}"))
        .hint("`contexture mcp` is started by a client; `contexture setup` enters it there")
}
