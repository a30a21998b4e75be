//! Streams, and items that expire.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodbstreams::types::{AttributeValue, OperationType, Record, ShardIteratorType};

use crate::{TABLE, get, key, n, order, put, s, steps, wait};

pub async fn streams(client: Client, streams: aws_sdk_dynamodbstreams::Client) -> Result<()> {
    let with = |status| order("streams", 1, [("status", s(status))]);
    put(&client, [with("new"), with("paid")]).await?;
    client.delete_item().table_name(TABLE).set_key(Some(key("streams", 1))).send().await?;

    let image = |status: &str| {
        let text = |text: &str| AttributeValue::S(text.to_string());
        let status = ("status".to_string(), text(status));
        let at = ("at".to_string(), AttributeValue::N("1".to_string()));
        Some(HashMap::from([("customer".to_string(), text("streams")), at, status]))
    };
    let mut found = Vec::new();
    for record in records(&client, &streams).await? {
        let event = record.event_name.context("the record has no name")?;
        let change = record.dynamodb.context("the record has no change")?;
        if change
            .keys()
            .is_some_and(|keys| keys["customer"] == AttributeValue::S("streams".to_string()))
        {
            found.push((event, change.old_image, change.new_image));
        }
    }
    assert_eq!(
        found,
        [
            (OperationType::Insert, None, image("new")),
            (OperationType::Modify, image("new"), image("paid")),
            (OperationType::Remove, image("paid"), None),
        ]
    );
    Ok(())
}

/// Returns all records of the table's stream, shard by shard.
async fn records(
    client: &Client,
    streams: &aws_sdk_dynamodbstreams::Client,
) -> Result<Vec<Record>> {
    let arn = wait(client).await?.latest_stream_arn.context("the table has no stream")?;
    let stream = streams.describe_stream().stream_arn(&arn).send().await?;
    let mut records = Vec::new();
    for shard in stream.stream_description.context("the stream has no description")?.shards() {
        let start = streams
            .get_shard_iterator()
            .stream_arn(&arn)
            .set_shard_id(shard.shard_id.clone())
            .shard_iterator_type(ShardIteratorType::TrimHorizon);
        let mut next = start.send().await?.shard_iterator;
        while let Some(iterator) = next {
            let page = streams.get_records().shard_iterator(iterator).send().await?;
            if page.records().is_empty() {
                break; // the end of an open shard
            }
            records.extend(page.records.unwrap_or_default());
            next = page.next_shard_iterator;
        }
    }
    Ok(records)
}

pub async fn expiry(client: Client, streams: aws_sdk_dynamodbstreams::Client) -> Result<()> {
    let expires = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() + 3600;
    let item = order("expiry", 1, [("expires", n(expires))]);
    put(&client, [item.clone(), key("expiry", 2)]).await?;
    assert_eq!(get(&client, "expiry", 1).await?, Some(item));
    steps::advance("20h").await?;
    assert_eq!(get(&client, "expiry", 1).await?, None);
    assert_eq!(get(&client, "expiry", 2).await?, Some(key("expiry", 2)));
    let last = records(&client, &streams).await?.pop().context("there are no records")?;
    let user = last.user_identity.context("no user removed the item")?;
    assert_eq!(user.principal_id(), Some("dynamodb.amazonaws.com"));
    Ok(())
}
