//! Runs steps, and prints what the client matrix reads: see conformance/cmd/clients.

use std::future::Future;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Runs a step and prints its line. A step fails with an error or with a failed assertion.
pub async fn run(name: &str, step: impl Future<Output = Result<()>> + Send + 'static) {
    match tokio::spawn(step).await {
        Ok(Ok(())) => println!("ok {name}"),
        Ok(Err(error)) => println!("failed {name}: {error:#}"),
        Err(panic) => println!("failed {name}: {panic}"),
    }
}

/// Has the server leave parts of the next batches unprocessed.
pub async fn leave_unprocessed() -> Result<()> {
    for operation in ["BatchWriteItem", "BatchGetItem"] {
        let fault = format!(
            r#"{{"when":{{"operation":"{operation}","first":2}},"do":{{"unprocessed":0.5}}}}"#
        );
        admin("POST", "faults", &fault).await?;
    }
    Ok(())
}

/// Requires that batches of both operations were left unprocessed twice.
pub async fn check_unprocessed() -> Result<()> {
    let faults = admin("GET", "faults", "").await?;
    assert_eq!(faults.matches(r#""hits":2,"places""#).count(), 2, "{faults}");
    Ok(())
}

/// Moves the clock of the server, which holds it.
pub async fn advance(by: &str) -> Result<()> {
    admin("POST", "clock/advance", &format!(r#"{{"by":"{by}"}}"#)).await?;
    Ok(())
}

/// Sends a request to the admin API and returns the answer.
async fn admin(method: &str, path: &str, body: &str) -> Result<String> {
    let endpoint = std::env::var("MATRIX_SERVER")?;
    let host = endpoint.strip_prefix("http://").context("the endpoint is not HTTP")?;
    let mut stream = TcpStream::connect(host).await?;
    let request = format!(
        "{method} /_kugiri/{path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut response = String::new();
    stream.read_to_string(&mut response).await?;
    let (head, body) = response.split_once("\r\n\r\n").context("it is no HTTP response")?;
    ensure!(head.split(' ').nth(1).is_some_and(|status| status.starts_with('2')), "{response}");
    Ok(body.to_string())
}
