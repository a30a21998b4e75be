package clients;

import static clients.Orders.*;
import static clients.Scenario.*;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.*;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The synchronous client: builders, paginators, waiters and typed exceptions. */
final class SyncClient {
  static final DynamoDbClient db = DynamoDbClient.create();
  static final DynamoDbStreamsClient streams = DynamoDbStreamsClient.create();

  private SyncClient() {}

  static void put(Map<String, AttributeValue> order) {
    db.putItem(put -> put.tableName(TABLE).item(order));
  }

  static Map<String, AttributeValue> get(String customer, int at) {
    return db.getItem(get -> get.tableName(TABLE).key(key(customer, at)).consistentRead(true))
        .item();
  }

  static void tables() {
    db.createTable(createTable());
    var made = db.waiter().waitUntilTableExists(t -> t.tableName(TABLE))
        .matched().response().orElseThrow().table();
    equal(made.tableStatus(), TableStatus.ACTIVE);
    equal(db.listTagsOfResource(list -> list.resourceArn(made.tableArn())).tags(),
        List.of(Tag.builder().key("team").value("shop").build()));
    db.updateTimeToLive(enableTimeToLive());
    equal(db.describeTimeToLive(t -> t.tableName(TABLE)).timeToLiveDescription().attributeName(),
        "expires");
    db.updateTable(addIndex());
    db.waiter().waitUntilTableExists(t -> t.tableName(TABLE));
    var indexes = db.describeTable(t -> t.tableName(TABLE)).table().globalSecondaryIndexes();
    equal(indexes.stream().map(index -> index.indexName()).sorted().toList(),
        List.of("byCourier", "byStatus"));
    equal(db.listTablesPaginator().tableNames().stream().toList(), List.of(TABLE));
  }

  static void conditions() throws Exception {
    var first = order("conditions", 1, Map.of("version", number(1)));
    var second = order("conditions", 1, Map.of("version", number(2)));
    put(first);
    var failed = thrown(ConditionalCheckFailedException.class,
        () -> db.putItem(replace(second, 8)));
    equal(failed.awsErrorDetails().errorMessage(), "The conditional request failed");
    equal(failed.item(), first);
    equal(get("conditions", 1), first);
    db.putItem(replace(second, 1));
    equal(get("conditions", 1), second);
  }

  static void updates() {
    put(order("updates", 1, Map.of(
        "amount", number(5),
        "note", fromS("x"),
        "notes", fromL(List.of(fromS("first"))),
        "labels", fromSs(List.of("a", "b")))));
    var updated = db.updateItem(update(key("updates", 1))).attributes();
    equal(updated, order("updates", 1, Map.of(
        "amount", number(3),
        "version", number(7),
        "hits", number(2),
        "notes", fromL(List.of(fromS("first"), fromS("second"))),
        "labels", fromSs(List.of("b")))));
    var deleted = db.deleteItem(delete -> delete
        .tableName(TABLE)
        .key(key("updates", 1))
        .returnValues(ReturnValue.ALL_OLD));
    equal(deleted.attributes(), updated);
  }

  static void pages() {
    for (int at = 1; at <= 7; at++) {
      put(order("pages", at, Map.of("status", fromS("paged"), "amount", number(80 - at))));
    }
    var forward = db.queryPaginator(ofCustomer("pages").limit(3).build());
    equal(forward.stream().map(page -> times(page.items())).toList(),
        List.of(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7)));
    var back = db.queryPaginator(ofCustomer("pages").limit(3).scanIndexForward(false).build());
    equal(times(back.items().stream().toList()), List.of(7, 6, 5, 4, 3, 2, 1));
    var byAmount = db.queryPaginator(ofCustomer("pages").indexName("byAmount").limit(2).build());
    equal(times(byAmount.items().stream().toList()), List.of(7, 6, 5, 4, 3, 2, 1));
    var byStatus = db.query(ofStatus("paged", 76));
    equal(times(byStatus.items()), List.of(1, 2, 3));
    equal(byStatus.scannedCount(), 7);
    equal(db.query(ofCustomer("pages").select(Select.COUNT).build()).count(), 7);
  }

  static void parallelScan() {
    IntStream.range(0, 200).forEach(at -> put(order("scan", at, Map.of())));
    var found = IntStream.range(0, 4).parallel()
        .mapToObj(segment -> db.scanPaginator(segment(segment)))
        .flatMap(pages -> times(pages.items().stream().toList()).stream())
        .sorted().toList();
    equal(found, IntStream.range(0, 200).boxed().toList());
  }

  static void batches() throws Exception {
    unprocessed(() -> {
      for (int from = 0; from < 60; from += 20) {
        var requests = putAll(IntStream.range(from, from + 20)
            .mapToObj(i -> key("customer-" + i, 1)).toList());
        while (!requests.isEmpty()) {
          requests = db.batchWriteItem(BatchWriteItemRequest.builder()
              .requestItems(requests).build()).unprocessedItems();
        }
      }
      var found = new HashSet<Map<String, AttributeValue>>();
      for (var keys : List.of(getAll(0, 100), getAll(100, 130))) {
        for (var page : db.batchGetItemPaginator(get -> get.requestItems(keys))) {
          found.addAll(page.responses().getOrDefault(TABLE, List.of()));
        }
      }
      equal(found, new HashSet<>(getAll(0, 60).get(TABLE).keys()));
    });
  }

  static void transactions() throws Exception {
    for (int at = 1; at <= 3; at++) {
      put(order("transactions", at, Map.of("amount", number(10 * at))));
    }
    var cancelled = thrown(TransactionCanceledException.class,
        () -> db.transactWriteItems(transaction(31).build()));
    equal(cancelled.cancellationReasons().stream().map(CancellationReason::code).toList(),
        List.of("None", "None", "None", "ConditionalCheckFailed"));
    equal(cancelled.cancellationReasons().get(3).item(), get("transactions", 3));
    equal(get("transactions", 1).get("amount").n(), "10");
    var once = transaction(30).clientRequestToken("once").build();
    db.transactWriteItems(once);
    db.transactWriteItems(once); // a repeat changes nothing
    var found = db.transactGetItems(transact -> transact.transactItems(
        item -> item.get(get -> get.tableName(TABLE).key(key("transactions", 1))),
        item -> item.get(get -> get.tableName(TABLE).key(key("transactions", 2)))));
    equal(found.responses().get(0).item().get("amount").n(), "11");
    equal(found.responses().get(1).hasItem(), false);
  }

  static void partiQL() {
    for (int at = 1; at <= 5; at++) {
      var parameters = List.of(fromS("partiql"), number(at), number(10 * at));
      db.executeStatement(insert -> insert.statement(INSERT).parameters(parameters));
    }
    var found = new ArrayList<Integer>();
    var request = ExecuteStatementRequest.builder()
        .statement(SELECT).parameters(fromS("partiql"), number(10)).limit(3).build();
    do {
      var page = db.executeStatement(request);
      found.addAll(times(page.items()));
      request = request.toBuilder().nextToken(page.nextToken()).build();
    } while (request.nextToken() != null);
    equal(found, List.of(2, 3, 4, 5));
    var updated = db.executeStatement(update -> update
        .statement(ADD_ONE).parameters(fromS("partiql"), number(1)));
    equal(updated.items(), List.of(order("partiql", 1, Map.of("amount", number(11)))));
    var inserts = db.batchExecuteStatement(batch -> batch
        .statements(insertOne("partiql", 6), insertOne("partiql", 1))).responses();
    equal(inserts.get(0).error(), null);
    equal(inserts.get(1).error().code(), BatchStatementErrorCodeEnum.DUPLICATE_ITEM);
    db.executeTransaction(transaction -> transaction
        .transactStatements(setZero("partiql", 5), setZero("partiql", 6)));
    equal(get("partiql", 6).get("amount").n(), "0");
  }

  /** Returns the records of the table's stream, shard by shard. */
  static List<Record> records() {
    var arn = db.describeTable(t -> t.tableName(TABLE)).table().latestStreamArn();
    var found = new ArrayList<Record>();
    for (var shard : streams.describeStream(s -> s.streamArn(arn)).streamDescription().shards()) {
      var iterator = streams.getShardIterator(start -> start
          .streamArn(arn)
          .shardId(shard.shardId())
          .shardIteratorType(ShardIteratorType.TRIM_HORIZON)).shardIterator();
      for (boolean more = true; more && iterator != null;) {
        var page = streams.getRecords(GetRecordsRequest.builder().shardIterator(iterator).build());
        found.addAll(page.records());
        iterator = page.nextShardIterator();
        more = !page.records().isEmpty();
      }
    }
    return found;
  }

  static void readStream() {
    var first = order("streams", 1, Map.of("status", fromS("new")));
    var second = order("streams", 1, Map.of("status", fromS("paid")));
    put(first);
    put(second);
    db.deleteItem(delete -> delete.tableName(TABLE).key(key("streams", 1)));
    var found = records().stream()
        .filter(r -> r.dynamodb().keys().equals(key("streams", 1))).toList();
    equal(found.stream().map(Record::eventName).toList(),
        List.of(OperationType.INSERT, OperationType.MODIFY, OperationType.REMOVE));
    equal(found.stream().map(r -> r.dynamodb().oldImage()).toList(),
        List.of(Map.of(), first, second));
    equal(found.stream().map(r -> r.dynamodb().newImage()).toList(),
        List.of(first, second, Map.of()));
  }

  static void numbers() throws Exception {
    var order = order("numbers", 1,
        Map.of("numbers", fromL(EDGES.stream().map(AttributeValue::fromN).toList())));
    put(order);
    equal(get("numbers", 1), order);
    var refused = thrown(DynamoDbException.class,
        () -> put(order("numbers", 2, Map.of("amount", fromN(TOO_LONG)))));
    equal(refused.awsErrorDetails().errorCode(), "ValidationException");
    equal(refused.getMessage().contains(TOO_LONG_MESSAGE), true);
  }

  static void values() {
    var empty = SdkBytes.fromByteArray(new byte[0]);
    var bytes = SdkBytes.fromByteArray(new byte[] {0, -1});
    var order = order("values", 1, Map.of(
        "strings", fromSs(List.of("a", "ü")),
        "numbers", fromNs(List.of("-1", "2.5")),
        "binaries", fromBs(List.of(empty, bytes)),
        "list", fromL(List.of(fromS("a"), fromN("1.5"), fromBool(true), fromL(List.of()))),
        "map", fromM(Map.of("deep", fromM(Map.of("er", fromNul(true))), "none", fromM(Map.of()))),
        "false", fromBool(false),
        "text", fromS(""),
        "binary", fromB(empty)));
    put(order);
    equal(get("values", 1), order);
  }

  static void expiry() throws Exception {
    var expires = fromN(String.valueOf(Instant.now().plusSeconds(3600).getEpochSecond()));
    put(order("expiry", 1, Map.of("expires", expires)));
    equal(get("expiry", 1).get("expires"), expires);
    advance("20h");
    equal(get("expiry", 1), Map.of());
    var records = records();
    equal(records.get(records.size() - 1).userIdentity().principalId(), "dynamodb.amazonaws.com");
  }

  static void deletion() throws Exception {
    db.deleteTable(t -> t.tableName(TABLE));
    db.waiter().waitUntilTableNotExists(t -> t.tableName(TABLE));
    var gone = thrown(ResourceNotFoundException.class,
        () -> db.describeTable(t -> t.tableName(TABLE)));
    equal(gone.awsErrorDetails().errorMessage(),
        "Requested resource not found: Table: orders not found");
  }

  public static void main(String[] args) {
    begin(VersionInfo.SDK_VERSION);
    step("tables", SyncClient::tables);
    step("conditions", SyncClient::conditions);
    step("updates", SyncClient::updates);
    step("pages", SyncClient::pages);
    step("parallel scan", SyncClient::parallelScan);
    step("batches", SyncClient::batches);
    step("transactions", SyncClient::transactions);
    step("PartiQL", SyncClient::partiQL);
    step("streams", SyncClient::readStream);
    step("numbers", SyncClient::numbers);
    step("values", SyncClient::values);
    step("expiry", SyncClient::expiry);
    step("deletion", SyncClient::deletion);
  }
}
