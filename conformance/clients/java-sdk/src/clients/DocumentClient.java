package clients;

import static clients.FirstSdk.*;
import static clients.Scenario.*;

import com.amazonaws.services.dynamodbv2.document.*;
import com.amazonaws.services.dynamodbv2.document.Expected;
import com.amazonaws.services.dynamodbv2.document.spec.*;
import com.amazonaws.services.dynamodbv2.document.utils.ValueMap;
import com.amazonaws.services.dynamodbv2.model.*;
import com.amazonaws.services.dynamodbv2.model.Record;
import com.amazonaws.util.VersionInfoUtils;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** The Document API, and the client below it for what the Document API does not have. */
final class DocumentClient {
  static final DynamoDB documents = new DynamoDB(db);
  static final Table orders = documents.getTable(TABLE);

  private DocumentClient() {}

  static PrimaryKey key(String customer, int at) {
    return new PrimaryKey("customer", customer, "at", at);
  }

  static Item order(String customer, int at) {
    return new Item().withPrimaryKey(key(customer, at));
  }

  static Item get(String customer, int at) {
    return orders.getItem(new GetItemSpec()
        .withPrimaryKey(key(customer, at)).withConsistentRead(true));
  }

  static List<Integer> times(Iterable<Item> found) {
    return StreamSupport.stream(found.spliterator(), false).map(item -> item.getInt("at")).toList();
  }

  static KeySchemaElement element(String name, KeyType type) {
    return new KeySchemaElement(name, type);
  }

  static void tables() throws Exception {
    var all = new Projection().withProjectionType(ProjectionType.ALL);
    var table = documents.createTable(new CreateTableRequest()
        .withTableName(TABLE)
        .withBillingMode(BillingMode.PAY_PER_REQUEST)
        .withAttributeDefinitions(
            new AttributeDefinition("customer", "S"), new AttributeDefinition("at", "N"),
            new AttributeDefinition("status", "S"), new AttributeDefinition("amount", "N"))
        .withKeySchema(element("customer", KeyType.HASH), element("at", KeyType.RANGE))
        .withGlobalSecondaryIndexes(new GlobalSecondaryIndex()
            .withIndexName("byStatus")
            .withKeySchema(element("status", KeyType.HASH), element("at", KeyType.RANGE))
            .withProjection(all))
        .withLocalSecondaryIndexes(new LocalSecondaryIndex()
            .withIndexName("byAmount")
            .withKeySchema(element("customer", KeyType.HASH), element("amount", KeyType.RANGE))
            .withProjection(all))
        .withStreamSpecification(new StreamSpecification()
            .withStreamEnabled(true)
            .withStreamViewType(StreamViewType.NEW_AND_OLD_IMAGES))
        .withTags(new Tag().withKey("team").withValue("shop")));
    equal(table.waitForActive().getTableStatus(), "ACTIVE");
    var tags = db.listTagsOfResource(new ListTagsOfResourceRequest()
        .withResourceArn(table.getDescription().getTableArn())).getTags();
    equal(tags, List.of(new Tag().withKey("team").withValue("shop")));
    enableTimeToLive();
    table.createGSI(new CreateGlobalSecondaryIndexAction()
        .withIndexName("byCourier")
        .withKeySchema(element("courier", KeyType.HASH))
        .withProjection(new Projection()
            .withProjectionType(ProjectionType.INCLUDE).withNonKeyAttributes("amount")),
        new AttributeDefinition("courier", "S")).waitForActive();
    var indexes = table.describe().getGlobalSecondaryIndexes();
    equal(indexes.stream().map(index -> index.getIndexName()).sorted().toList(),
        List.of("byCourier", "byStatus"));
    equal(documents.listTables().iterator().next().getTableName(), TABLE);
  }

  static void conditions() throws Exception {
    orders.putItem(order("conditions", 1).withInt("version", 1));
    var second = order("conditions", 1).withInt("version", 2);
    var failed = thrown(ConditionalCheckFailedException.class,
        () -> db.putItem(new PutItemRequest()
            .withTableName(TABLE)
            .withItem(ItemUtils.toAttributeValues(second))
            .withConditionExpression("version = :version")
            .withExpressionAttributeValues(Map.of(":version", value(8)))
            .withReturnValuesOnConditionCheckFailure(
                ReturnValuesOnConditionCheckFailure.ALL_OLD)));
    equal(failed.getErrorMessage(), "The conditional request failed");
    equal(failed.getItem().get("version").getN(), "1");
    equal(get("conditions", 1).getInt("version"), 1);
    thrown(ConditionalCheckFailedException.class,
        () -> orders.putItem(second, new Expected("version").gt(1)));
    orders.putItem(second, new Expected("version").eq(1));
    equal(get("conditions", 1).getInt("version"), 2);
  }

  static void updates() {
    orders.putItem(order("updates", 1)
        .withInt("amount", 5)
        .withString("note", "x")
        .withList("notes", "first")
        .withStringSet("labels", "a", "b"));
    var updated = orders.updateItem(new UpdateItemSpec()
        .withPrimaryKey(key("updates", 1))
        .withUpdateExpression("SET amount = amount - :two, "
            + "version = if_not_exists(version, :seven), notes = list_append(notes, :notes) "
            + "REMOVE note ADD hits :two DELETE labels :labels")
        .withValueMap(new ValueMap()
            .withInt(":two", 2)
            .withInt(":seven", 7)
            .withList(":notes", "second")
            .withStringSet(":labels", "a"))
        .withReturnValues(ReturnValue.ALL_NEW)).getItem();
    equal(updated, order("updates", 1)
        .withInt("amount", 3)
        .withInt("version", 7)
        .withInt("hits", 2)
        .withList("notes", "first", "second")
        .withStringSet("labels", "b"));
    var old = orders.updateItem(new UpdateItemSpec()
        .withPrimaryKey(key("updates", 1))
        .withAttributeUpdate(
            new AttributeUpdate("hits").addNumeric(3),
            new AttributeUpdate("labels").delete())
        .withReturnValues(ReturnValue.UPDATED_OLD)).getItem();
    equal(old, new Item().withInt("hits", 2).withStringSet("labels", "b"));
    var deleted = orders.deleteItem(new DeleteItemSpec()
        .withPrimaryKey(key("updates", 1)).withReturnValues(ReturnValue.ALL_OLD));
    equal(deleted.getItem(), updated.withInt("hits", 5).removeAttribute("labels"));
  }

  /** Returns a query in pages. Each query needs its own, as it keeps where the last page ended. */
  static QuerySpec ofCustomer(String customer) {
    return new QuerySpec().withHashKey("customer", customer).withMaxPageSize(3);
  }

  static void pages() {
    for (int at = 1; at <= 7; at++) {
      orders.putItem(order("pages", at).withString("status", "paged").withInt("amount", 80 - at));
    }
    var pages = new ArrayList<List<Integer>>();
    orders.query(ofCustomer("pages")).pages().forEach(page -> pages.add(times(page)));
    equal(pages, List.of(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7)));
    equal(times(orders.query(ofCustomer("pages").withScanIndexForward(false))),
        List.of(7, 6, 5, 4, 3, 2, 1));
    equal(times(orders.getIndex("byAmount").query("customer", "pages")),
        List.of(7, 6, 5, 4, 3, 2, 1));
    var byStatus = orders.getIndex("byStatus").query(new QuerySpec()
        .withHashKey("status", "paged")
        .withRangeKeyCondition(new RangeKeyCondition("at").between(2, 6))
        .withFilterExpression("amount > :amount")
        .withValueMap(new ValueMap().withInt(":amount", 76)));
    equal(times(byStatus), List.of(2, 3));
    equal(byStatus.getAccumulatedScannedCount(), 5);
    var counted = orders.query(new QuerySpec()
        .withHashKey("customer", "pages").withSelect(Select.COUNT));
    counted.iterator().hasNext();
    equal(counted.getAccumulatedItemCount(), 7);
  }

  static void parallelScan() {
    IntStream.range(0, 200).forEach(at -> orders.putItem(order("scan", at)));
    var found = IntStream.range(0, 4).parallel()
        .mapToObj(segment -> orders.scan(new ScanSpec()
            .withSegment(segment)
            .withTotalSegments(4)
            .withMaxPageSize(30)
            .withFilterExpression("customer = :customer")
            .withValueMap(new ValueMap().withString(":customer", "scan"))))
        .flatMap(items -> times(items).stream())
        .sorted().toList();
    equal(found, IntStream.range(0, 200).boxed().toList());
  }

  static List<String> readBatch(int from, int to) {
    var keys = new TableKeysAndAttributes(TABLE).withPrimaryKeys(IntStream.range(from, to)
        .mapToObj(i -> key("customer-" + i, 1)).toArray(PrimaryKey[]::new));
    var found = new ArrayList<String>();
    var outcome = documents.batchGetItem(keys);
    while (true) {
      outcome.getTableItems().getOrDefault(TABLE, List.of())
          .forEach(item -> found.add(item.getString("customer")));
      if (outcome.getUnprocessedKeys().isEmpty()) {
        return found;
      }
      outcome = documents.batchGetItemUnprocessed(outcome.getUnprocessedKeys());
    }
  }

  static void batches() throws Exception {
    unprocessed(() -> {
      for (int from = 0; from < 60; from += 20) {
        var outcome = documents.batchWriteItem(new TableWriteItems(TABLE)
            .withItemsToPut(IntStream.range(from, from + 20)
                .mapToObj(i -> order("customer-" + i, 1)).toList()));
        while (!outcome.getUnprocessedItems().isEmpty()) {
          outcome = documents.batchWriteItemUnprocessed(outcome.getUnprocessedItems());
        }
      }
      var found = readBatch(0, 100);
      found.addAll(readBatch(100, 130));
      equal(found.stream().sorted().toList(),
          IntStream.range(0, 60).mapToObj(i -> "customer-" + i).sorted().toList());
    });
  }

  static Map<String, AttributeValue> item(String customer, int at) {
    return ItemUtils.toAttributeValues(order(customer, at));
  }

  static AttributeValue value(Object value) {
    return ItemUtils.toAttributeValue(value);
  }

  static void transact(int amount, String token) {
    db.transactWriteItems(new TransactWriteItemsRequest()
        .withClientRequestToken(token)
        .withTransactItems(
            new TransactWriteItem().withPut(new Put()
                .withTableName(TABLE).withItem(item("transactions", 4))),
            new TransactWriteItem().withUpdate(new Update()
                .withTableName(TABLE).withKey(item("transactions", 1))
                .withUpdateExpression("ADD amount :one")
                .withExpressionAttributeValues(Map.of(":one", value(1)))),
            new TransactWriteItem().withDelete(new Delete()
                .withTableName(TABLE).withKey(item("transactions", 2))),
            new TransactWriteItem().withConditionCheck(new ConditionCheck()
                .withTableName(TABLE).withKey(item("transactions", 3))
                .withConditionExpression("amount = :amount")
                .withExpressionAttributeValues(Map.of(":amount", value(amount)))
                .withReturnValuesOnConditionCheckFailure(
                    ReturnValuesOnConditionCheckFailure.ALL_OLD))));
  }

  static void transactions() throws Exception {
    IntStream.rangeClosed(1, 3)
        .forEach(at -> orders.putItem(order("transactions", at).withInt("amount", 10 * at)));
    var cancelled = thrown(TransactionCanceledException.class, () -> transact(31, null));
    var reasons = cancelled.getCancellationReasons();
    equal(reasons.stream().map(CancellationReason::getCode).toList(),
        List.of("None", "None", "None", "ConditionalCheckFailed"));
    equal(ItemUtils.toItem(reasons.get(3).getItem()), get("transactions", 3));
    equal(get("transactions", 1).getInt("amount"), 10);
    transact(30, "once");
    transact(30, "once"); // a repeat changes nothing
    var found = db.transactGetItems(new TransactGetItemsRequest().withTransactItems(
        IntStream.rangeClosed(1, 2).mapToObj(at -> new TransactGetItem().withGet(
            new Get().withTableName(TABLE).withKey(item("transactions", at)))).toList()));
    equal(found.getResponses().get(0).getItem().get("amount").getN(), "11");
    equal(found.getResponses().get(1).getItem(), null);
  }

  static List<AttributeValue> parameters(Object... values) {
    return Arrays.stream(values).map(DocumentClient::value).toList();
  }

  static BatchStatementRequest insert(int at) {
    return new BatchStatementRequest()
        .withStatement(Orders.INSERT).withParameters(parameters("partiql", at, 60));
  }

  static ParameterizedStatement setZero(int at) {
    return new ParameterizedStatement()
        .withStatement("UPDATE orders SET amount = 0 WHERE customer = ? AND \"at\" = ?")
        .withParameters(parameters("partiql", at));
  }

  static void partiQL() {
    for (int at = 1; at <= 5; at++) {
      db.executeStatement(new ExecuteStatementRequest()
          .withStatement(Orders.INSERT).withParameters(parameters("partiql", at, 10 * at)));
    }
    var found = new ArrayList<Integer>();
    var request = new ExecuteStatementRequest()
        .withStatement(Orders.SELECT).withParameters(parameters("partiql", 10)).withLimit(3);
    do {
      var page = db.executeStatement(request);
      found.addAll(times(ItemUtils.toItemList(page.getItems())));
      request.setNextToken(page.getNextToken());
    } while (request.getNextToken() != null);
    equal(found, List.of(2, 3, 4, 5));
    var updated = db.executeStatement(new ExecuteStatementRequest()
        .withStatement(Orders.ADD_ONE).withParameters(parameters("partiql", 1)));
    equal(ItemUtils.toItemList(updated.getItems()),
        List.of(order("partiql", 1).withInt("amount", 11)));
    var inserts = db.batchExecuteStatement(new BatchExecuteStatementRequest()
        .withStatements(insert(6), insert(1))).getResponses();
    equal(inserts.get(0).getError(), null);
    equal(inserts.get(1).getError().getCode(), "DuplicateItem");
    db.executeTransaction(new ExecuteTransactionRequest()
        .withTransactStatements(setZero(5), setZero(6)));
    equal(get("partiql", 6).getInt("amount"), 0);
  }

  static void readStream() {
    var first = order("streams", 1).withString("status", "new");
    var second = order("streams", 1).withString("status", "paid");
    orders.putItem(first);
    orders.putItem(second);
    orders.deleteItem(key("streams", 1));
    var found = records().stream()
        .filter(r -> r.getDynamodb().getKeys().get("customer").getS().equals("streams")).toList();
    equal(found.stream().map(Record::getEventName).toList(),
        List.of("INSERT", "MODIFY", "REMOVE"));
    equal(found.stream().map(r -> ItemUtils.toItem(r.getDynamodb().getOldImage())).toList(),
        Arrays.asList(null, first, second));
    equal(found.stream().map(r -> ItemUtils.toItem(r.getDynamodb().getNewImage())).toList(),
        Arrays.asList(first, second, null));
  }

  static void numbers() throws Exception {
    var edges = EDGES.stream().map(BigDecimal::new).toList();
    orders.putItem(order("numbers", 1).withList("numbers", edges));
    equal(get("numbers", 1).<BigDecimal>getList("numbers").stream()
        .map(BigDecimal::stripTrailingZeros).toList(),
        edges.stream().map(BigDecimal::stripTrailingZeros).toList());
    var tooLong = order("numbers", 2).withNumber("amount", new BigDecimal(TOO_LONG));
    var refused = thrown(AmazonDynamoDBException.class, () -> orders.putItem(tooLong));
    equal(refused.getErrorCode(), "ValidationException");
    equal(refused.getErrorMessage().contains(TOO_LONG_MESSAGE), true);
  }

  static void values() {
    var order = order("values", 1)
        .withStringSet("strings", "a", "ü")
        .withBigDecimalSet("numbers", new BigDecimal("-1"), new BigDecimal("2.5"))
        .withList("list", Arrays.asList("a", new BigDecimal("1.5"), true, null, List.of()))
        .withMap("map", Map.of("deep", Map.of("er", "x"), "none", Map.of()))
        .withBoolean("false", false)
        .withNull("null")
        .withString("text", "");
    orders.putItem(order);
    equal(get("values", 1), order);
    orders.putItem(order("values", 2)
        .withBinary("binary", new byte[0])
        .withBinarySet("binaries", new byte[0], new byte[] {0, -1}));
    equal(get("values", 2).getBinary("binary").length, 0);
    var lengths = get("values", 2).getBinarySet("binaries").stream().map(b -> b.length);
    equal(Set.copyOf(lengths.toList()), Set.of(0, 2));
    orders.putItem(order("values", 3).withJSON("json", "{\"a\":[1,{\"b\":null}]}"));
    equal(get("values", 3).getJSON("json"), "{\"a\":[1,{\"b\":null}]}");
  }

  static void expiry() throws Exception {
    long expires = Instant.now().plusSeconds(3600).getEpochSecond();
    orders.putItem(order("expiry", 1).withLong("expires", expires));
    equal(get("expiry", 1).getLong("expires"), expires);
    advance("20h");
    equal(get("expiry", 1), null);
    checkExpired();
  }

  static void deletion() throws Exception {
    orders.delete();
    orders.waitForDelete();
    var gone = thrown(ResourceNotFoundException.class, () -> orders.describe());
    equal(gone.getErrorMessage(), "Requested resource not found: Table: orders not found");
  }

  public static void main(String[] args) {
    begin(VersionInfoUtils.getVersion());
    checkDefaultEndpoint();
    step("tables", DocumentClient::tables);
    step("conditions", DocumentClient::conditions);
    step("updates", DocumentClient::updates);
    step("pages", DocumentClient::pages);
    step("parallel scan", DocumentClient::parallelScan);
    step("batches", DocumentClient::batches);
    step("transactions", DocumentClient::transactions);
    step("PartiQL", DocumentClient::partiQL);
    step("streams", DocumentClient::readStream);
    step("numbers", DocumentClient::numbers);
    step("values", DocumentClient::values);
    step("expiry", DocumentClient::expiry);
    step("deletion", DocumentClient::deletion);
  }
}
