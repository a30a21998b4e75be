//! Numbers, and values of all types.

use std::collections::HashMap;

use anyhow::Result;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use crate::{TABLE, get, n, order, put, s};

pub async fn numbers(client: Client) -> Result<()> {
    let digits = "1234567890".repeat(4);
    let list = vec![
        n(&digits[..38]),
        n(format!("-0.{}", &digits[..38])),
        n(0),
        n(-42),
        n(9007199254740993_i64),
        n(format!("1{}", "0".repeat(125))),
        n(format!("-0.{}1", "0".repeat(129))),
    ];
    let written = order("numbers", 1, [("numbers", AttributeValue::L(list))]);
    put(&client, [written.clone()]).await?;
    assert_eq!(get(&client, "numbers", 1).await?, Some(written));

    let long = order("numbers", 1, [("number", n(&digits[..39]))]);
    let refused =
        client.put_item().table_name(TABLE).set_item(Some(long)).send().await.unwrap_err();
    assert_eq!(refused.code(), Some("ValidationException"));
    let message = refused.message().unwrap_or_default();
    assert!(
        message.contains("Attempting to store more than 38 significant digits in a Number"),
        "{message}"
    );
    Ok(())
}

pub async fn values(client: Client) -> Result<()> {
    let strings = |list: &[&str]| list.iter().map(|text| text.to_string()).collect();
    let map = |name: &str, value| AttributeValue::M(HashMap::from([(name.to_string(), value)]));
    let list = vec![s("a"), n(1.5), AttributeValue::Null(true), AttributeValue::L(vec![])];
    let written = order(
        "values",
        1,
        [
            ("strings", AttributeValue::Ss(strings(&["", "a", "ü"]))),
            ("numbers", AttributeValue::Ns(strings(&["-1", "2"]))),
            ("binaries", AttributeValue::Bs(vec![Blob::new([]), Blob::new([0, 255])])),
            ("list", AttributeValue::L(list)),
            ("map", map("deep", map("er", s("x")))),
            ("null", AttributeValue::Null(true)),
            ("true", AttributeValue::Bool(true)),
            ("false", AttributeValue::Bool(false)),
            ("text", s("")),
            ("binary", AttributeValue::B(Blob::new([]))),
        ],
    );
    put(&client, [written.clone()]).await?;
    let read = get(&client, "values", 1).await?.unwrap_or_default();
    assert_eq!(read.len(), written.len());
    for (name, value) in &written {
        assert_eq!(sorted(&read[name]), sorted(value), "{name}");
    }
    Ok(())
}

/// Returns a value; a set has its members in order.
fn sorted(value: &AttributeValue) -> AttributeValue {
    let mut value = value.clone();
    match &mut value {
        AttributeValue::Ss(set) | AttributeValue::Ns(set) => set.sort(),
        AttributeValue::Bs(set) => set.sort_by(|a, b| a.as_ref().cmp(b.as_ref())),
        _ => {}
    }
    value
}
