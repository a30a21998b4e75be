use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_dynamodb::{Client, Config};

/// The server of all tests of this program, and the pipe that ends it with the program.
struct Server {
    url: String,
    _process: Child,
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let kugiri = std::env::var("KUGIRI_BINARY").unwrap_or("kugiri".into());
        let mut process = Command::new(kugiri)
            .args(["serve", "--admin", "--port", "0", "--exit-with-stdin"])
            .args(["--seed", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/testdata")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("kugiri is on the PATH, or KUGIRI_BINARY names it");
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().rsplit(' ').next().unwrap().into(); // "kugiri: listening at URL"
        Server { url, _process: process }
    })
}

/// Returns a client whose access key nobody else has: its tables begin as the seed has them.
fn client(test: &str) -> Client {
    let credentials = Credentials::new(test, "secret", None, None, "tests");
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(aws_smithy_http_client::Builder::new().build_http()) // no TLS is needed
        .endpoint_url(&server().url)
        .region(Region::new("us-east-1"))
        .credentials_provider(credentials);
    Client::from_conf(config.build())
}

#[tokio::test]
async fn deletes() {
    let db = client("deletes");
    let id = AttributeValue::S("1".into());
    db.delete_item().table_name("orders").key("id", id).send().await.unwrap();
    assert_eq!(db.scan().table_name("orders").send().await.unwrap().count(), 0);
}

#[tokio::test]
async fn has_tables_of_its_own() {
    let db = client("has_tables_of_its_own");
    assert_eq!(db.scan().table_name("orders").send().await.unwrap().count(), 1);
}
