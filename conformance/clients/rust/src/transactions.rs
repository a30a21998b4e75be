//! Transactions, and statements of PartiQL.

use anyhow::Result;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsFluentBuilder;
use aws_sdk_dynamodb::types::{
    BatchStatementErrorCodeEnum, BatchStatementRequest, ConditionCheck, Delete, Get,
    ParameterizedStatement, Put, ReturnValuesOnConditionCheckFailure, TransactGetItem,
    TransactWriteItem, Update,
};

use crate::{TABLE, get, key, n, order, put, s};

/// Returns a transaction that holds if the third order has that total.
fn write(client: &Client, total: i32) -> Result<TransactWriteItemsFluentBuilder> {
    let put = Put::builder().table_name(TABLE).set_item(Some(order(
        "transactions",
        4,
        [("total", n(40))],
    )));
    let update = Update::builder()
        .table_name(TABLE)
        .set_key(Some(key("transactions", 1)))
        .update_expression("ADD #t :one")
        .expression_attribute_names("#t", "total")
        .expression_attribute_values(":one", n(1));
    let delete = Delete::builder().table_name(TABLE).set_key(Some(key("transactions", 2)));
    let check = ConditionCheck::builder()
        .table_name(TABLE)
        .set_key(Some(key("transactions", 3)))
        .condition_expression("#t = :t")
        .expression_attribute_names("#t", "total")
        .expression_attribute_values(":t", n(total))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    Ok(client
        .transact_write_items()
        .transact_items(TransactWriteItem::builder().put(put.build()?).build())
        .transact_items(TransactWriteItem::builder().update(update.build()?).build())
        .transact_items(TransactWriteItem::builder().delete(delete.build()?).build())
        .transact_items(TransactWriteItem::builder().condition_check(check.build()?).build()))
}

pub async fn transactions(client: Client) -> Result<()> {
    let orders: Vec<_> =
        (1..=3).map(|at| order("transactions", at, [("total", n(10 * at))])).collect();
    put(&client, orders.clone()).await?;
    let refused = write(&client, 31)?.send().await.unwrap_err().into_service_error();
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = refused else {
        panic!("{refused:?}");
    };
    let reasons = cancelled.cancellation_reasons();
    let codes: Vec<_> = reasons.iter().filter_map(|reason| reason.code()).collect();
    assert_eq!(codes, ["None", "None", "None", "ConditionalCheckFailed"]);
    assert_eq!(reasons[3].item(), Some(&orders[2]));
    assert_eq!(get(&client, "transactions", 1).await?.as_ref(), Some(&orders[0]));

    for _ in 0..2 {
        write(&client, 30)?.client_request_token("once").send().await?; // a repeat changes nothing
    }
    let get = |at| -> Result<_> {
        let get = Get::builder().table_name(TABLE).set_key(Some(key("transactions", at)));
        Ok(TransactGetItem::builder().get(get.build()?).build())
    };
    let found = client
        .transact_get_items()
        .set_transact_items(Some(vec![get(1)?, get(2)?, get(4)?]))
        .send()
        .await?;
    let found: Vec<_> = found.responses().iter().map(|response| response.item().cloned()).collect();
    let total = |at, total: i32| Some(order("transactions", at, [("total", n(total))]));
    assert_eq!(found, [total(1, 11), None, total(4, 40)]);
    Ok(())
}

pub async fn partiql(client: Client) -> Result<()> {
    let insert = "INSERT INTO orders VALUE {'customer': ?, 'at': ?, 'total': ?}";
    let values = |at: i32, total: i32| Some(vec![s("partiql"), n(at), n(total)]);
    for i in 0..5 {
        client
            .execute_statement()
            .statement(insert)
            .set_parameters(values(i + 1, 10 * i))
            .send()
            .await?;
    }
    let select = "SELECT * FROM orders WHERE customer = ? AND total >= ?";
    let mut found = Vec::new();
    let mut token = None;
    loop {
        let select =
            client.execute_statement().statement(select).parameters(s("partiql")).parameters(n(10));
        let page = select.limit(3).set_next_token(token).send().await?;
        found.extend(page.items.unwrap_or_default());
        token = page.next_token;
        if token.is_none() {
            break;
        }
    }
    assert_eq!(found.len(), 4);
    assert_eq!(found[3], order("partiql", 5, [("total", n(40))]));

    let update = r#"UPDATE orders SET total = total + ? WHERE customer = ? AND "at" = ? RETURNING ALL NEW *"#;
    let parameters = Some(vec![n(1), s("partiql"), n(1)]);
    let updated =
        client.execute_statement().statement(update).set_parameters(parameters).send().await?;
    assert_eq!(updated.items(), [order("partiql", 1, [("total", n(1))])]);

    let statement = |at, total| {
        BatchStatementRequest::builder().statement(insert).set_parameters(values(at, total)).build()
    };
    let batch =
        client.batch_execute_statement().statements(statement(6, 60)?).statements(statement(1, 0)?);
    let batch = batch.send().await?;
    assert!(batch.responses()[0].error().is_none());
    let error = batch.responses()[1].error().and_then(|error| error.code());
    assert_eq!(error, Some(&BatchStatementErrorCodeEnum::DuplicateItem));

    let change = |at: i32| {
        let statement = r#"UPDATE orders SET total = 0 WHERE customer = ? AND "at" = ?"#;
        let parameters = Some(vec![s("partiql"), n(at)]);
        ParameterizedStatement::builder().statement(statement).set_parameters(parameters).build()
    };
    client
        .execute_transaction()
        .transact_statements(change(5)?)
        .transact_statements(change(6)?)
        .send()
        .await?;
    assert_eq!(get(&client, "partiql", 6).await?, Some(order("partiql", 6, [("total", n(0))])));
    Ok(())
}
