//! Writes and reads of items.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use anyhow::{Context, Result};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeValue, KeysAndAttributes, PutRequest, ReturnValue,
    ReturnValuesOnConditionCheckFailure, Select, WriteRequest,
};
use tokio::task::JoinSet;

use crate::{Item, TABLE, get, key, n, order, orders, put, s, steps};

/// Writes an order if its version is the one that was read: optimistic locking.
async fn save(client: &Client, mut item: Item, read: i32) -> Result<(), PutItemError> {
    item.insert("version".to_string(), n(read + 1));
    let put = client
        .put_item()
        .table_name(TABLE)
        .set_item(Some(item))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    let put = match read {
        0 => put.condition_expression("attribute_not_exists(version)"),
        _ => put
            .condition_expression("version = :read")
            .expression_attribute_values(":read", n(read)),
    };
    put.send().await.map(|_| ()).map_err(|error| error.into_service_error())
}

pub async fn conditions(client: Client) -> Result<()> {
    let new = order("conditions", 1, [("status", s("new"))]);
    let written = order("conditions", 1, [("status", s("new")), ("version", n(1))]);
    save(&client, new.clone(), 0).await?;
    match save(&client, order("conditions", 1, [("status", s("late"))]), 0).await {
        Err(PutItemError::ConditionalCheckFailedException(failed)) => {
            assert_eq!(failed.message(), Some("The conditional request failed"));
            assert_eq!(failed.item(), Some(&written));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(get(&client, "conditions", 1).await?, Some(written));
    save(&client, new, 1).await?;
    let second = order("conditions", 1, [("status", s("new")), ("version", n(2))]);
    assert_eq!(get(&client, "conditions", 1).await?, Some(second));
    Ok(())
}

pub async fn updates(client: Client) -> Result<()> {
    let strings = |list: &[&str]| AttributeValue::L(list.iter().map(|text| s(*text)).collect());
    let labels =
        |list: &[&str]| AttributeValue::Ss(list.iter().map(|text| text.to_string()).collect());
    put(
        &client,
        [order(
            "updates",
            1,
            [("status", s("new")), ("total", n(5)), ("labels", labels(&["a", "b"]))],
        )],
    )
    .await?;
    let update = || client.update_item().table_name(TABLE).set_key(Some(key("updates", 1)));
    let found = update()
        .update_expression(
            "SET #t = #t - :two, version = if_not_exists(version, :seven), \
             notes = list_append(if_not_exists(notes, :none), :first) REMOVE #s",
        )
        .expression_attribute_names("#t", "total")
        .expression_attribute_names("#s", "status")
        .expression_attribute_values(":two", n(2))
        .expression_attribute_values(":seven", n(7))
        .expression_attribute_values(":none", strings(&[]))
        .expression_attribute_values(":first", strings(&["first"]))
        .return_values(ReturnValue::AllNew)
        .send()
        .await?;
    let all = [
        ("total", n(3)),
        ("version", n(7)),
        ("labels", labels(&["a", "b"])),
        ("notes", strings(&["first"])),
    ];
    assert_eq!(found.attributes, Some(order("updates", 1, all)));
    let found = update()
        .update_expression("SET notes = list_append(notes, :second)")
        .expression_attribute_values(":second", strings(&["second"]))
        .return_values(ReturnValue::UpdatedOld)
        .send()
        .await?;
    assert_eq!(found.attributes, Some(HashMap::from([("notes".to_string(), strings(&["first"]))])));
    let found = update()
        .update_expression("ADD #t :ten DELETE labels :a")
        .expression_attribute_names("#t", "total")
        .expression_attribute_values(":ten", n(10))
        .expression_attribute_values(":a", labels(&["a"]))
        .return_values(ReturnValue::UpdatedNew)
        .send()
        .await?;
    let changed = [("total".to_string(), n(13)), ("labels".to_string(), labels(&["b"]))];
    assert_eq!(found.attributes, Some(HashMap::from(changed)));
    let deleted = client
        .delete_item()
        .table_name(TABLE)
        .set_key(Some(key("updates", 1)))
        .return_values(ReturnValue::AllOld)
        .send()
        .await?;
    assert_eq!(
        deleted.attributes.context("nothing was deleted")?["notes"],
        strings(&["first", "second"])
    );
    Ok(())
}

/// Returns the time of an order.
fn at(item: &Item) -> Result<i32> {
    Ok(item["at"].as_n().ok().context("it is no number")?.parse()?)
}

/// Returns the times of the orders in pages of three items.
async fn paged(query: QueryFluentBuilder) -> Result<Vec<Vec<i32>>> {
    let mut pages = query.table_name(TABLE).into_paginator().page_size(3).send();
    let mut times = Vec::new();
    while let Some(page) = pages.try_next().await? {
        times.push(page.items().iter().map(at).collect::<Result<_>>()?);
    }
    Ok(times)
}

pub async fn pages(client: Client) -> Result<()> {
    put(&client, orders("pages", "paged", 7)).await?;
    put(
        &client,
        [order("pages", 7, [("status", s("paged")), ("total", n(70)), ("version", n(1))])],
    )
    .await?;
    let mine = || {
        let query = client.query().key_condition_expression("customer = :c");
        query.expression_attribute_values(":c", s("pages"))
    };
    assert_eq!(paged(mine()).await?, [vec![1, 2, 3], vec![4, 5, 6], vec![7]]);
    assert_eq!(
        paged(mine().scan_index_forward(false)).await?,
        [vec![7, 6, 5], vec![4, 3, 2], vec![1]]
    );

    let indexed = || {
        let query = client.query().index_name("by-status-and-total");
        let query = query.key_condition_expression("#s = :s AND #t BETWEEN :low AND :high");
        let query = query
            .expression_attribute_names("#s", "status")
            .expression_attribute_names("#t", "total");
        let query = query.expression_attribute_values(":s", s("paged"));
        query.expression_attribute_values(":low", n(20)).expression_attribute_values(":high", n(60))
    };
    assert_eq!(paged(indexed()).await?, [vec![2, 3, 4], vec![5, 6]]);
    assert_eq!(paged(indexed().scan_index_forward(false)).await?, [vec![6, 5, 4], vec![3, 2]]);
    let changed = mine().index_name("by-total").consistent_read(true);
    let changed =
        changed.filter_expression("version > :zero").expression_attribute_values(":zero", n(0));
    assert_eq!(paged(changed).await?, [vec![], vec![], vec![7]]);

    let count = mine().table_name(TABLE).select(Select::Count).send().await?;
    assert_eq!(count.count(), 7);
    Ok(())
}

pub async fn parallel_scan(client: Client) -> Result<()> {
    put(&client, orders("scan", "scanned", 200)).await?;
    let mut segments = JoinSet::new();
    for segment in 0..4 {
        let items = client
            .scan()
            .table_name(TABLE)
            .segment(segment)
            .total_segments(4)
            .filter_expression("#s = :s")
            .expression_attribute_names("#s", "status")
            .expression_attribute_values(":s", s("scanned"))
            .into_paginator()
            .page_size(30)
            .items();
        segments.spawn(async move { items.send().try_collect().await });
    }
    let mut times = Vec::new();
    while let Some(items) = segments.join_next().await {
        for item in items?? {
            times.push(at(&item)?);
        }
    }
    times.sort();
    assert_eq!(times, (1..=200).collect::<Vec<_>>());
    Ok(())
}

pub async fn batches(client: Client) -> Result<()> {
    steps::leave_unprocessed().await?;
    let customers: Vec<_> = (0..130).map(|i| format!("customer-{i:03}")).collect();
    let mut puts = Vec::new();
    for customer in &customers[..60] {
        let item = order(customer, 1, [("status", s("batched"))]);
        let put = PutRequest::builder().set_item(Some(item)).build()?;
        puts.push(WriteRequest::builder().put_request(put).build());
    }
    while !puts.is_empty() {
        let rest = puts.split_off(puts.len().min(25));
        let answer = client.batch_write_item().request_items(TABLE, puts).send().await?;
        let unprocessed =
            answer.unprocessed_items.unwrap_or_default().remove(TABLE).unwrap_or_default();
        if !unprocessed.is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        puts = [rest, unprocessed].concat();
    }

    let mut keys: Vec<_> = customers.iter().map(|customer| key(customer, 1)).collect();
    let mut found = HashSet::new();
    while !keys.is_empty() {
        let rest = keys.split_off(keys.len().min(100));
        let wanted = KeysAndAttributes::builder().set_keys(Some(keys)).build()?;
        let answer = client.batch_get_item().request_items(TABLE, wanted).send().await?;
        for item in &answer.responses.unwrap_or_default()[TABLE] {
            assert!(found.insert(item["customer"].as_s().unwrap().clone()), "{item:?} comes twice");
        }
        let unprocessed = answer.unprocessed_keys.unwrap_or_default().remove(TABLE);
        keys = [rest, unprocessed.map(|u| u.keys).unwrap_or_default()].concat();
    }
    assert_eq!(found, customers[..60].iter().cloned().collect());
    steps::check_unprocessed().await
}
