package clients;

import static clients.Orders.*;
import static clients.Scenario.*;
import static java.util.concurrent.CompletableFuture.allOf;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.*;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.*;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsAsyncClient;

/** The asynchronous client: futures, publishers and its waiter. */
final class AsyncClient {
  static final DynamoDbAsyncClient db = DynamoDbAsyncClient.create();
  static final DynamoDbStreamsAsyncClient streams = DynamoDbStreamsAsyncClient.create();

  private AsyncClient() {}

  static CompletableFuture<?> put(Map<String, AttributeValue> order) {
    return db.putItem(put -> put.tableName(TABLE).item(order));
  }

  static CompletableFuture<Map<String, AttributeValue>> get(String customer, int at) {
    return db
        .getItem(get -> get.tableName(TABLE).key(key(customer, at)).consistentRead(true))
        .thenApply(GetItemResponse::item);
  }

  /** Waits for all futures. */
  static void join(Collection<? extends CompletableFuture<?>> futures) {
    allOf(futures.toArray(CompletableFuture[]::new)).join();
  }

  /** Returns a future of all that a publisher sends. */
  static <T> CompletableFuture<List<T>> all(SdkPublisher<T> publisher) {
    var found = Collections.synchronizedList(new ArrayList<T>());
    return publisher.subscribe(found::add).thenApply(done -> found);
  }

  static void tables() {
    var made = db.createTable(createTable())
        .thenCompose(created -> db.waiter().waitUntilTableExists(t -> t.tableName(TABLE)))
        .thenApply(waited -> waited.matched().response().orElseThrow().table()).join();
    equal(made.tableStatus(), TableStatus.ACTIVE);
    equal(db.listTagsOfResource(list -> list.resourceArn(made.tableArn())).join().tags(),
        List.of(Tag.builder().key("team").value("shop").build()));
    var ttl = db.updateTimeToLive(enableTimeToLive())
        .thenCompose(enabled -> db.describeTimeToLive(t -> t.tableName(TABLE))).join();
    equal(ttl.timeToLiveDescription().attributeName(), "expires");
    var indexes = db.updateTable(addIndex())
        .thenCompose(updated -> db.waiter().waitUntilTableExists(t -> t.tableName(TABLE)))
        .thenCompose(waited -> db.describeTable(t -> t.tableName(TABLE))).join()
        .table().globalSecondaryIndexes();
    equal(indexes.stream().map(index -> index.indexName()).sorted().toList(),
        List.of("byCourier", "byStatus"));
    equal(all(db.listTablesPaginator().tableNames()).join(), List.of(TABLE));
  }

  static void conditions() throws Exception {
    var first = order("conditions", 1, Map.of("version", number(1)));
    var second = order("conditions", 1, Map.of("version", number(2)));
    put(first).join();
    var failed = thrown(ConditionalCheckFailedException.class,
        () -> db.putItem(replace(second, 8)).join());
    equal(failed.item(), first);
    equal(get("conditions", 1).join(), first);
    var replaced = db.putItem(replace(second, 1)).thenCompose(done -> get("conditions", 1));
    equal(replaced.join(), second);
  }

  static void updates() {
    var updated = put(order("updates", 1, Map.of(
        "amount", number(5),
        "note", fromS("x"),
        "notes", fromL(List.of(fromS("first"))),
        "labels", fromSs(List.of("a", "b")))))
        .thenCompose(done -> db.updateItem(update(key("updates", 1)))).join().attributes();
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
    equal(deleted.join().attributes(), updated);
  }

  static void pages() {
    join(IntStream.rangeClosed(1, 7).mapToObj(at -> put(order("pages", at, Map.of(
        "status", fromS("paged"), "amount", number(80 - at))))).toList());
    var forward = db.queryPaginator(ofCustomer("pages").limit(3).build());
    equal(all(forward.map(page -> times(page.items()))).join(),
        List.of(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7)));
    var back = db.queryPaginator(ofCustomer("pages").limit(3).scanIndexForward(false).build());
    equal(times(all(back.items()).join()), List.of(7, 6, 5, 4, 3, 2, 1));
    var firstTwo = db.queryPaginator(ofCustomer("pages").indexName("byAmount").limit(1).build());
    equal(times(all(firstTwo.items().limit(2)).join()), List.of(7, 6));
    var byStatus = db.query(ofStatus("paged", 76)).join();
    equal(times(byStatus.items()), List.of(1, 2, 3));
    equal(byStatus.scannedCount(), 7);
    equal(db.query(ofCustomer("pages").select(Select.COUNT).build()).join().count(), 7);
  }

  static void parallelScan() {
    join(IntStream.range(0, 200).mapToObj(at -> put(order("scan", at, Map.of()))).toList());
    var segments = IntStream.range(0, 4)
        .mapToObj(segment -> all(db.scanPaginator(segment(segment)).items())).toList();
    var found = segments.stream()
        .flatMap(segment -> times(segment.join()).stream()).sorted().toList();
    equal(found, IntStream.range(0, 200).boxed().toList());
  }

  /** Writes in batches until no request is unprocessed. */
  static CompletableFuture<?> writeAll(Map<String, List<WriteRequest>> requests) {
    if (requests.isEmpty()) {
      return completedFuture(null);
    }
    return db.batchWriteItem(write -> write.requestItems(requests))
        .thenCompose(written -> writeAll(written.unprocessedItems()));
  }

  static void batches() throws Exception {
    unprocessed(() -> {
      join(IntStream.of(0, 20, 40)
          .mapToObj(from -> IntStream.range(from, from + 20)
              .mapToObj(i -> key("customer-" + i, 1)).toList())
          .map(orders -> writeAll(putAll(orders))).toList());
      var found = List.of(getAll(0, 100), getAll(100, 130)).stream()
          .map(keys -> all(db.batchGetItemPaginator(get -> get.requestItems(keys))
              .flatMapIterable(page -> page.responses().getOrDefault(TABLE, List.of()))))
          .toList();
      var orders = new HashSet<Map<String, AttributeValue>>();
      found.forEach(part -> orders.addAll(part.join()));
      equal(orders, new HashSet<>(getAll(0, 60).get(TABLE).keys()));
    });
  }

  static void transactions() throws Exception {
    join(IntStream.rangeClosed(1, 3).mapToObj(at -> put(order("transactions", at,
        Map.of("amount", number(10 * at))))).toList());
    var cancelled = thrown(TransactionCanceledException.class,
        () -> db.transactWriteItems(transaction(31).build()).join());
    equal(cancelled.cancellationReasons().stream().map(CancellationReason::code).toList(),
        List.of("None", "None", "None", "ConditionalCheckFailed"));
    equal(cancelled.cancellationReasons().get(3).item(), get("transactions", 3).join());
    equal(get("transactions", 1).join().get("amount").n(), "10");
    var once = transaction(30).clientRequestToken("once").build();
    db.transactWriteItems(once)
        .thenCompose(done -> db.transactWriteItems(once)).join(); // a repeat changes nothing
    var found = db.transactGetItems(transact -> transact.transactItems(
        item -> item.get(get -> get.tableName(TABLE).key(key("transactions", 1))),
        item -> item.get(get -> get.tableName(TABLE).key(key("transactions", 2))))).join();
    equal(found.responses().get(0).item().get("amount").n(), "11");
    equal(found.responses().get(1).hasItem(), false);
  }

  /** Returns the orders of all pages that a statement selects. */
  static CompletableFuture<List<Map<String, AttributeValue>>> select(
      ExecuteStatementRequest first) {
    return db.executeStatement(first).thenCompose(page -> {
      if (page.nextToken() == null) {
        return completedFuture(page.items());
      }
      return select(first.toBuilder().nextToken(page.nextToken()).build()).thenApply(rest -> {
        var orders = new ArrayList<>(page.items());
        orders.addAll(rest);
        return orders;
      });
    });
  }

  static void partiQL() {
    join(IntStream.rangeClosed(1, 5).mapToObj(at -> db.executeStatement(insert -> insert
        .statement(INSERT).parameters(fromS("partiql"), number(at), number(10 * at)))).toList());
    var found = select(ExecuteStatementRequest.builder()
        .statement(SELECT).parameters(fromS("partiql"), number(10)).limit(3).build());
    equal(times(found.join()), List.of(2, 3, 4, 5));
    var updated = db.executeStatement(update -> update
        .statement(ADD_ONE).parameters(fromS("partiql"), number(1))).join();
    equal(updated.items(), List.of(order("partiql", 1, Map.of("amount", number(11)))));
    var inserts = db.batchExecuteStatement(batch -> batch
        .statements(insertOne("partiql", 6), insertOne("partiql", 1))).join().responses();
    equal(inserts.get(0).error(), null);
    equal(inserts.get(1).error().code(), BatchStatementErrorCodeEnum.DUPLICATE_ITEM);
    db.executeTransaction(transaction -> transaction
        .transactStatements(setZero("partiql", 5), setZero("partiql", 6))).join();
    equal(get("partiql", 6).join().get("amount").n(), "0");
  }

  /** Adds the records of a shard, from an iterator up to its end. */
  static CompletableFuture<?> read(String iterator, List<Record> found) {
    return streams.getRecords(get -> get.shardIterator(iterator)).thenCompose(page -> {
      found.addAll(page.records());
      boolean last = page.records().isEmpty() || page.nextShardIterator() == null;
      return last ? completedFuture(null) : read(page.nextShardIterator(), found);
    });
  }

  /** Returns the records of the table's stream, shard by shard. */
  static List<Record> records() {
    var arn = db.describeTable(t -> t.tableName(TABLE)).join().table().latestStreamArn();
    var found = new ArrayList<Record>();
    var stream = streams.describeStream(s -> s.streamArn(arn)).join().streamDescription();
    for (var shard : stream.shards()) {
      streams.getShardIterator(start -> start
          .streamArn(arn)
          .shardId(shard.shardId())
          .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
          .thenCompose(start -> read(start.shardIterator(), found)).join();
    }
    return found;
  }

  static void readStream() {
    var first = order("streams", 1, Map.of("status", fromS("new")));
    var second = order("streams", 1, Map.of("status", fromS("paid")));
    put(first)
        .thenCompose(done -> put(second))
        .thenCompose(done -> db.deleteItem(d -> d.tableName(TABLE).key(key("streams", 1)))).join();
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
    equal(put(order).thenCompose(done -> get("numbers", 1)).join(), order);
    var refused = thrown(DynamoDbException.class,
        () -> put(order("numbers", 2, Map.of("amount", fromN(TOO_LONG)))).join());
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
    equal(put(order).thenCompose(done -> get("values", 1)).join(), order);
  }

  static void expiry() throws Exception {
    var expires = fromN(String.valueOf(Instant.now().plusSeconds(3600).getEpochSecond()));
    var before = put(order("expiry", 1, Map.of("expires", expires)))
        .thenCompose(done -> get("expiry", 1));
    equal(before.join().get("expires"), expires);
    advance("20h");
    equal(get("expiry", 1).join(), Map.of());
    var records = records();
    equal(records.get(records.size() - 1).userIdentity().principalId(), "dynamodb.amazonaws.com");
  }

  static void deletion() throws Exception {
    db.deleteTable(t -> t.tableName(TABLE))
        .thenCompose(done -> db.waiter().waitUntilTableNotExists(t -> t.tableName(TABLE))).join();
    var gone = thrown(ResourceNotFoundException.class,
        () -> db.describeTable(t -> t.tableName(TABLE)).join());
    equal(gone.awsErrorDetails().errorMessage(),
        "Requested resource not found: Table: orders not found");
  }

  public static void main(String[] args) {
    begin(VersionInfo.SDK_VERSION);
    step("tables", AsyncClient::tables);
    step("conditions", AsyncClient::conditions);
    step("updates", AsyncClient::updates);
    step("pages", AsyncClient::pages);
    step("parallel scan", AsyncClient::parallelScan);
    step("batches", AsyncClient::batches);
    step("transactions", AsyncClient::transactions);
    step("PartiQL", AsyncClient::partiQL);
    step("streams", AsyncClient::readStream);
    step("numbers", AsyncClient::numbers);
    step("values", AsyncClient::values);
    step("expiry", AsyncClient::expiry);
    step("deletion", AsyncClient::deletion);
    db.close();
    streams.close();
  }
}
