//! Runs the scenario with the AWS SDK for Rust, its builders, its paginators and its waiters.

mod items;
mod steps;
mod streams;
mod transactions;
mod values;

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, Result};
use aws_config::BehaviorVersion;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::get_item::GetItemError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, CreateGlobalSecondaryIndexAction,
    GlobalSecondaryIndex, GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType,
    LocalSecondaryIndex, Projection, ProjectionType, ScalarAttributeType, StreamSpecification,
    StreamViewType, TableDescription, TableStatus, Tag, TimeToLiveSpecification, TimeToLiveStatus,
};

const TABLE: &str = "orders";

/// An item, or the key of one.
type Item = HashMap<String, AttributeValue>;

/// Returns a string and a number.
fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// Returns the key of an order.
fn key(customer: &str, at: i32) -> Item {
    HashMap::from([("customer".to_string(), s(customer)), ("at".to_string(), n(at))])
}

/// Returns an order with more attributes.
fn order<const N: usize>(customer: &str, at: i32, more: [(&str, AttributeValue); N]) -> Item {
    let mut item = key(customer, at);
    item.extend(more.map(|(name, value)| (name.to_string(), value)));
    item
}

#[tokio::main]
async fn main() -> Result<()> {
    println!("version {}", aws_sdk_dynamodb::meta::PKG_VERSION);
    let config = aws_config::defaults(BehaviorVersion::latest())
        .http_client(aws_smithy_http_client::Builder::new().build_http()) // without TLS
        .load()
        .await;
    let client = Client::new(&config);
    let streams = aws_sdk_dynamodbstreams::Client::new(&config);
    tokio::time::timeout(Duration::from_secs(60), scenario(client, streams)).await?;
    Ok(())
}

async fn scenario(client: Client, streams: aws_sdk_dynamodbstreams::Client) {
    let c = || client.clone();
    steps::run("tables", tables(c())).await;
    steps::run("conditions", items::conditions(c())).await;
    steps::run("updates", items::updates(c())).await;
    steps::run("pages", items::pages(c())).await;
    steps::run("parallel scan", items::parallel_scan(c())).await;
    steps::run("batches", items::batches(c())).await;
    steps::run("transactions", transactions::transactions(c())).await;
    steps::run("PartiQL", transactions::partiql(c())).await;
    steps::run("streams", streams::streams(c(), streams.clone())).await;
    steps::run("numbers", values::numbers(c())).await;
    steps::run("values", values::values(c())).await;
    steps::run("expiry", streams::expiry(c(), streams.clone())).await;
    steps::run("deletion", deletion(c())).await;
}

/// Writes orders one after the other.
async fn put(client: &Client, items: impl IntoIterator<Item = Item>) -> Result<()> {
    for item in items {
        client.put_item().table_name(TABLE).set_item(Some(item)).send().await?;
    }
    Ok(())
}

/// Returns an order.
async fn get(client: &Client, customer: &str, at: i32) -> Result<Option<Item>> {
    let get = client.get_item().table_name(TABLE).set_key(Some(key(customer, at)));
    Ok(get.consistent_read(true).send().await?.item)
}

/// Waits until the table is active.
async fn wait(client: &Client) -> Result<TableDescription> {
    let found =
        client.wait_until_table_exists().table_name(TABLE).wait(Duration::from_secs(20)).await?;
    found.into_result()?.table.context("the answer has no table")
}

fn attribute(name: &str, kind: ScalarAttributeType) -> Result<AttributeDefinition, BuildError> {
    AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build()
}

fn keys(partition: &str, sort: &str) -> Result<Option<Vec<KeySchemaElement>>, BuildError> {
    let key = |name, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build();
    Ok(Some(vec![key(partition, KeyType::Hash)?, key(sort, KeyType::Range)?]))
}

fn all() -> Projection {
    Projection::builder().projection_type(ProjectionType::All).build()
}

async fn tables(client: Client) -> Result<()> {
    let by_status = GlobalSecondaryIndex::builder()
        .index_name("by-status")
        .set_key_schema(keys("status", "at")?)
        .projection(all());
    let by_total = LocalSecondaryIndex::builder()
        .index_name("by-total")
        .set_key_schema(keys("customer", "total")?)
        .projection(all());
    let stream = StreamSpecification::builder()
        .stream_enabled(true)
        .stream_view_type(StreamViewType::NewAndOldImages);
    let tag = Tag::builder().key("team").value("sales").build()?;
    let total = attribute("total", ScalarAttributeType::N)?;
    let status = attribute("status", ScalarAttributeType::S)?;
    client
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .set_key_schema(keys("customer", "at")?)
        .attribute_definitions(attribute("customer", ScalarAttributeType::S)?)
        .attribute_definitions(attribute("at", ScalarAttributeType::N)?)
        .attribute_definitions(status.clone())
        .attribute_definitions(total.clone())
        .global_secondary_indexes(by_status.build()?)
        .local_secondary_indexes(by_total.build()?)
        .stream_specification(stream.build()?)
        .tags(tag.clone())
        .send()
        .await?;
    let table = wait(&client).await?;
    assert_eq!(table.table_status(), Some(&TableStatus::Active));
    assert_eq!(table.local_secondary_indexes()[0].index_name(), Some("by-total"));
    let tags = client.list_tags_of_resource().set_resource_arn(table.table_arn).send().await?;
    assert_eq!(tags.tags(), [tag]);

    let expires = TimeToLiveSpecification::builder().attribute_name("expires").enabled(true);
    client
        .update_time_to_live()
        .table_name(TABLE)
        .time_to_live_specification(expires.build()?)
        .send()
        .await?;
    let ttl = client.describe_time_to_live().table_name(TABLE).send().await?;
    let ttl = ttl.time_to_live_description.context("TTL has no description")?;
    assert_eq!(ttl.attribute_name(), Some("expires"));
    assert_eq!(ttl.time_to_live_status(), Some(&TimeToLiveStatus::Enabled));

    let index = CreateGlobalSecondaryIndexAction::builder()
        .index_name("by-status-and-total")
        .set_key_schema(keys("status", "total")?)
        .projection(all());
    client
        .update_table()
        .table_name(TABLE)
        .attribute_definitions(status)
        .attribute_definitions(total)
        .global_secondary_index_updates(
            GlobalSecondaryIndexUpdate::builder().create(index.build()?).build(),
        )
        .send()
        .await?;
    assert_eq!(wait(&client).await?.global_secondary_indexes().len(), 2);

    let names = client.list_tables().limit(1).into_paginator().items().send().try_collect().await?;
    assert_eq!(names, [TABLE]);
    Ok(())
}

async fn deletion(client: Client) -> Result<()> {
    client.delete_table().table_name(TABLE).send().await?;
    client.wait_until_table_not_exists().table_name(TABLE).wait(Duration::from_secs(20)).await?;
    let missing = client.get_item().table_name(TABLE).set_key(Some(key("x", 1))).send().await;
    let error = missing.unwrap_err().into_service_error();
    assert!(matches!(error, GetItemError::ResourceNotFoundException(_)), "{error:?}");
    Ok(())
}

/// Returns orders of a customer, whose totals are 10, 20 and so on.
fn orders(customer: &str, status: &str, n: i32) -> Vec<Item> {
    (1..=n)
        .map(|at| order(customer, at, [("status", s(status)), ("total", self::n(10 * at))]))
        .collect()
}
