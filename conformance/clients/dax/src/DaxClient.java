import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.*;
import java.util.function.Function;
import java.util.stream.*;
import software.amazon.awssdk.auth.credentials.*;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;
import software.amazon.dax.ClusterDaxClient;
import software.amazon.dax.Configuration;

/** DAX's client for the AWS SDK for Java 2 beside the SDK: the same calls, the same answers. */
class DaxClient {
  interface Step { void run() throws Exception; }

  static final String TABLE = "orders", ENDPOINT = System.getenv("DYNAMODB_ENDPOINT");
  static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDCLIENT", "secret"));
  static DynamoDbClient http, dax;

  static AttributeValue s(String v) { return AttributeValue.builder().s(v).build(); }

  static AttributeValue n(String v) { return AttributeValue.builder().n(v).build(); }

  static Map<String, AttributeValue> key(String pk, String sk) { return Map.of("pk", s(pk), "sk", n(sk)); }

  static Map<String, AttributeValue> item(String pk, String sk, Map<String, AttributeValue> more) {
    var all = new HashMap<>(key(pk, sk));
    all.putAll(more);
    return all;
  }

  static void equal(Object got, Object want) {
    if (!Objects.equals(got, want)) throw new AssertionError(got + " is not " + want);
  }

  /** The answer as text, or the error: DAX's client puts its numbers before the message. */
  static String answer(DynamoDbClient client, Function<DynamoDbClient, ? extends SdkPojo> call) {
    try {
      return text(call.apply(client));
    } catch (DynamoDbException e) {
      var details = e.awsErrorDetails();
      var message = details == null ? e.getMessage() : details.errorMessage();
      return e.getClass().getSimpleName() + ": " + message.replaceFirst("^\\[[0-9.]+\\] ", "");
    }
  }

  /** What an answer has, without what is absent or empty: DAX's client makes no difference. */
  static String text(Object value) {
    if (value instanceof SdkPojo pojo) {
      return pojo.sdkFields().stream().map(f -> new String[] {f.memberName(), text(((SdkField<?>) f).getValueOrDefault(pojo))})
          .filter(f -> !f[1].isEmpty()).map(f -> f[0] + "=" + f[1]).sorted().collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof software.amazon.awssdk.core.util.SdkAutoConstructMap
        || value instanceof software.amazon.awssdk.core.util.SdkAutoConstructList || value == null
        || value instanceof List<?> empty && empty.isEmpty() || value instanceof Map<?, ?> none && none.isEmpty()) return "";
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().map(e -> e.getKey() + ": " + text(e.getValue())).sorted().collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof List<?> list) return list.stream().map(DaxClient::text).collect(Collectors.joining(", ", "[", "]"));
    return String.valueOf(value);
  }

  static String same(Function<DynamoDbClient, ? extends SdkPojo> call) {
    var direct = answer(http, call);
    equal(answer(dax, call), direct);
    return direct;
  }

  static void items() {
    var values = Map.of("text", s("text ü"), "empty", s(""), "n", n("12345678901234567890"), "d", n("-0.000125"),
        "b", AttributeValue.builder().b(SdkBytes.fromByteArray(new byte[] {0, -1})).build(),
        "yes", AttributeValue.builder().bool(true).build(), "nothing", AttributeValue.builder().nul(true).build(),
        "tags", AttributeValue.builder().ss("a", "b").build(),
        "l", AttributeValue.builder().l(s("x"), AttributeValue.builder().m(Map.of("z", n("1"))).build()).build());
    for (var sk : List.of("0", "-12.5", "100", "0.001", "-1")) {
      dax.putItem(p -> p.tableName(TABLE).item(item("i", sk, values)));
      same(c -> c.getItem(g -> g.tableName(TABLE).key(key("i", sk))));
    }
    same(c -> c.getItem(g -> g.tableName(TABLE).key(key("i", "0")).consistentRead(true).returnConsumedCapacity("INDEXES")));
    same(c -> c.getItem(g -> g.tableName(TABLE).key(key("i", "0")).projectionExpression("l[1].z, l[0], #n, pk")
        .expressionAttributeNames(Map.of("#n", "nothing"))));
    same(c -> c.getItem(g -> g.tableName(TABLE).key(key("none", "0"))));
  }

  static void conditions() {
    dax.putItem(p -> p.tableName(TABLE).item(item("c", "1", Map.of("v", n("1")))));
    var failed = same(c -> c.putItem(p -> p.tableName(TABLE).item(key("c", "1"))
        .conditionExpression("attribute_exists(pk) AND NOT (v = :one OR begins_with(pk, :p))")
        .expressionAttributeValues(Map.of(":one", n("1"), ":p", s("c")))));
    equal(failed, "ConditionalCheckFailedException: The conditional request failed");
    same(c -> c.updateItem(u -> u.tableName(TABLE).key(key("c", "1")).updateExpression("SET v = v + :s")
        .expressionAttributeValues(Map.of(":s", s("x")))));
    equal(answer(dax, c -> c.getItem(g -> g.tableName("missing").key(key("c", "1")))),
        "ResourceNotFoundException: Requested resource not found");
  }

  static void updates() {
    for (var returned : ReturnValue.knownValues()) {
      var found = new ArrayList<String>();
      for (var client : List.of(http, dax)) {
        client.putItem(p -> p.tableName(TABLE).item(item("u", "1", Map.of("n", n("5"), "gone", s("")))));
        found.add(answer(client, c -> c.updateItem(u -> u.tableName(TABLE).key(key("u", "1")).returnValues(returned)
            .updateExpression("SET n = n - :two, made = if_not_exists(made, :two) REMOVE gone ADD hits :two")
            .expressionAttributeValues(Map.of(":two", n("2"))))));
      }
      equal(found.get(1), found.get(0));
    }
  }

  static void pages() {
    for (int i = 0; i < 10; i++) {
      var at = String.valueOf(i);
      dax.putItem(p -> p.tableName(TABLE).item(item("p", at + "0", Map.of("status", s("open"), "v", n(at)))));
    }
    for (var index : new String[] {null, "by-status"}) {
      var counts = new ArrayList<Integer>();
      Map<String, AttributeValue> start = null;
      do {
        var from = start;
        Function<DynamoDbClient, QueryResponse> query = c -> c.query(q -> q.tableName(TABLE).indexName(index).limit(4)
            .exclusiveStartKey(from).keyConditionExpression("#k = :p")
            .expressionAttributeNames(Map.of("#k", index == null ? "pk" : "status"))
            .expressionAttributeValues(Map.of(":p", s(index == null ? "p" : "open"))));
        same(query);
        var page = query.apply(dax);
        counts.add(page.count());
        start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
      } while (start != null);
      equal(counts, List.of(4, 4, 2));
    }
    same(c -> c.query(q -> q.tableName(TABLE).keyConditionExpression("pk = :p AND sk BETWEEN :a AND :b").filterExpression("v <> :f")
        .expressionAttributeValues(Map.of(":p", s("p"), ":a", n("15"), ":b", n("75"), ":f", n("3"))).returnConsumedCapacity("TOTAL")));
    same(c -> c.scan(q -> q.tableName(TABLE).totalSegments(2).segment(1).projectionExpression("v, pk")));
  }

  static void batches() {
    var writes = IntStream.range(0, 20).mapToObj(i -> WriteRequest.builder()
        .putRequest(p -> p.item(item("b", String.valueOf(i), Map.of("v", s("x"))))).build()).toList();
    same(c -> c.batchWriteItem(b -> b.requestItems(Map.of(TABLE, writes))));
    var keys = KeysAndAttributes.builder().keys(List.of(key("b", "1"))).consistentRead(true).build();
    same(c -> c.batchGetItem(b -> b.requestItems(Map.of(TABLE, keys)).returnConsumedCapacity("TOTAL")));
    same(c -> c.batchGetItem(b -> b.requestItems(Map.of(TABLE, keys.toBuilder().consistentRead(false).projectionExpression("v, sk").build()))));
  }

  static void transactions() {
    same(c -> c.transactWriteItems(t -> t.returnConsumedCapacity("TOTAL").transactItems(
        TransactWriteItem.builder().put(p -> p.tableName(TABLE).item(item("t", "1", Map.of("v", n("1"))))).build(),
        TransactWriteItem.builder().update(u -> u.tableName(TABLE).key(key("t", "2")).updateExpression("SET v = :v")
            .expressionAttributeValues(Map.of(":v", n("2")))).build(),
        TransactWriteItem.builder().delete(d -> d.tableName(TABLE).key(key("t", "3"))).build(),
        TransactWriteItem.builder().conditionCheck(k -> k.tableName(TABLE).key(key("t", "4"))
            .conditionExpression("attribute_not_exists(pk)")).build())));
    try {
      dax.transactWriteItems(t -> t.transactItems(TransactWriteItem.builder().put(p -> p.tableName(TABLE).item(key("t", "1"))
          .conditionExpression("attribute_not_exists(pk)").returnValuesOnConditionCheckFailure("ALL_OLD")).build()));
      throw new AssertionError("the transaction succeeded");
    } catch (TransactionCanceledException e) {
      var reason = e.cancellationReasons().get(0);
      equal(reason.code(), "ConditionalCheckFailed");
      equal(reason.item(), item("t", "1", Map.of("v", n("1"))));
    }
    same(c -> c.transactGetItems(t -> t.transactItems(
        TransactGetItem.builder().get(g -> g.tableName(TABLE).key(key("t", "1"))).build(),
        TransactGetItem.builder().get(g -> g.tableName(TABLE).key(key("t", "2")).projectionExpression("v")).build())));
  }

  /** Calls both clients, each with the same item before. */
  static String each(Function<DynamoDbClient, ? extends SdkPojo> call) {
    var found = new ArrayList<String>();
    for (var client : List.of(http, dax)) {
      client.putItem(p -> p.tableName(TABLE).item(item("f", "1", Map.of("v", n("1"), "turn", n("7"), "status", s("done")))));
      found.add(answer(client, call));
    }
    equal(found.get(1), found.get(0));
    return found.get(1);
  }

  static void has(String text, String part) {
    if (!text.contains(part)) throw new AssertionError(text + " has no " + part);
  }

  /** What the other steps do not send: see emulator/docs/dax-protocol.md, Options and Expressions. */
  static void fields() {
    var key = key("f", "1");
    var held = "attribute_type(v, :t) AND v >= :low AND v <= :high AND v < :more AND attribute_exists(sk) AND v IN (:low, :more) AND contains(pk, :f)";
    var values = Map.of(":t", s("N"), ":low", n("1"), ":high", n("1"), ":more", n("2"), ":f", s("f"));
    var failing = new HashMap<>(values);
    failing.put(":more", n("0"));
    var numbers = AttributeValue.builder().ns("1", "-2.5").build();
    var bytes = AttributeValue.builder().bs(SdkBytes.fromByteArray(new byte[] {1})).build();
    has(each(c -> c.putItem(p -> p.tableName(TABLE).item(item("f", "1", Map.of("v", n("-123456789012345678901234567890"), "turn", n("8"),
        "numbers", numbers, "bytes", bytes))).returnValues("ALL_OLD").returnItemCollectionMetrics("SIZE").returnConsumedCapacity("INDEXES"))), "v: ");
    same(c -> c.getItem(g -> g.tableName(TABLE).key(key)));
    has(each(c -> c.updateItem(u -> u.tableName(TABLE).key(key).conditionExpression(held)
        .updateExpression("SET w = :high, l = list_append(:list, :list) DELETE tags :tags")
        .expressionAttributeValues(with(values, Map.of(":list", AttributeValue.builder().l(s("x")).build(),
            ":tags", AttributeValue.builder().ss("a").build())))
        .returnValues("ALL_NEW").returnItemCollectionMetrics("SIZE").returnConsumedCapacity("INDEXES"))), "w: ");
    has(each(c -> c.deleteItem(d -> d.tableName(TABLE).key(key).conditionExpression(held).expressionAttributeValues(values)
        .returnValues("ALL_OLD").returnItemCollectionMetrics("SIZE").returnConsumedCapacity("INDEXES"))), "v: ");
    each(c -> c.batchWriteItem(b -> b.returnItemCollectionMetrics("SIZE").returnConsumedCapacity("INDEXES").requestItems(Map.of(TABLE, List.of(
        WriteRequest.builder().deleteRequest(d -> d.key(key)).build(), WriteRequest.builder().putRequest(p -> p.item(key("f", "2"))).build())))));
    for (var fails : List.of(false, true)) {
      var used = fails ? failing : values;
      var old = fails ? "ALL_OLD" : "NONE";
      for (var part : List.of(
          TransactWriteItem.builder().update(u -> u.tableName(TABLE).key(key).updateExpression("SET w = :high").conditionExpression(held)
              .expressionAttributeValues(used).returnValuesOnConditionCheckFailure(old)).build(),
          TransactWriteItem.builder().delete(d -> d.tableName(TABLE).key(key).conditionExpression(held)
              .expressionAttributeValues(used).returnValuesOnConditionCheckFailure(old)).build(),
          TransactWriteItem.builder().conditionCheck(k -> k.tableName(TABLE).key(key).conditionExpression(held)
              .expressionAttributeValues(used).returnValuesOnConditionCheckFailure(old)).build())) {
        var found = each(c -> c.transactWriteItems(t -> t.transactItems(part).returnItemCollectionMetrics("SIZE").returnConsumedCapacity("INDEXES")));
        equal(found.startsWith("TransactionCanceledException"), fails);
      }
    }
    http.putItem(p -> p.tableName(TABLE).item(item("f", "1", Map.of("v", n("1"), "turn", n("7"), "status", s("done")))));
    Function<String, QueryRequest.Builder> query = condition -> QueryRequest.builder().tableName(TABLE).keyConditionExpression(condition)
        .expressionAttributeValues(condition.contains(":n") ? Map.of(":p", s("f"), ":n", n("1")) : Map.of(":p", s("f")));
    for (var q : List.of(query.apply("pk = :p").consistentRead(true).select("ALL_ATTRIBUTES").returnConsumedCapacity("INDEXES"),
        query.apply("pk = :p").scanIndexForward(false), query.apply("pk = :p").select("COUNT"),
        query.apply("pk = :p").indexName("by-turn").select("ALL_PROJECTED_ATTRIBUTES").returnConsumedCapacity("INDEXES"),
        query.apply("pk = :p").projectionExpression("v").select("SPECIFIC_ATTRIBUTES"),
        query.apply("pk = :p AND sk >= :n"), query.apply("pk = :p AND sk <= :n"), query.apply("pk = :p AND sk > :n"))) {
      same(c -> c.query(q.build()));
    }
    Map<String, AttributeValue> start = null;
    do {
      var from = start;
      Function<DynamoDbClient, ScanResponse> scan = c -> c.scan(q -> q.tableName(TABLE).consistentRead(true).limit(20).select("ALL_ATTRIBUTES")
          .filterExpression("attribute_type(turn, :t) AND size(pk) = :one").expressionAttributeValues(Map.of(":t", s("N"), ":one", n("1")))
          .exclusiveStartKey(from));
      same(scan);
      var page = scan.apply(dax);
      start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
    } while (start != null);
    var page = dax.scan(q -> q.tableName(TABLE).indexName("by-status").limit(3).returnConsumedCapacity("INDEXES"));
    same(c -> c.scan(q -> q.tableName(TABLE).indexName("by-status").exclusiveStartKey(page.lastEvaluatedKey()).select("COUNT")));
    var keys = KeysAndAttributes.builder().keys(List.of(key)).consistentRead(true).build();
    same(c -> c.batchGetItem(b -> b.requestItems(Map.of(TABLE, keys)).returnConsumedCapacity("INDEXES")));
  }

  static Map<String, AttributeValue> with(Map<String, AttributeValue> some, Map<String, AttributeValue> more) {
    var all = new HashMap<>(some);
    all.putAll(more);
    return all;
  }

  static String read(boolean consistent) {
    var v = dax.getItem(g -> g.tableName(TABLE).key(key("s", "1")).consistentRead(consistent)).item().get("v");
    return v == null ? null : v.s();
  }

  static void staleness() throws Exception {
    equal(read(false), null);
    http.putItem(p -> p.tableName(TABLE).item(item("s", "1", Map.of("v", s("beside")))));
    equal(read(false), null);
    equal(read(true), "beside");
    dax.putItem(p -> p.tableName(TABLE).item(item("s", "1", Map.of("v", s("through")))));
    http.putItem(p -> p.tableName(TABLE).item(item("s", "1", Map.of("v", s("beside")))));
    equal(read(false), "through");
    var advance = HttpRequest.newBuilder(URI.create(ENDPOINT + "/_kugiri/clock/advance")).header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString("{\"by\": \"300s\"}")).build();
    equal(HttpClient.newHttpClient().send(advance, HttpResponse.BodyHandlers.ofString()).statusCode() / 100, 2);
    equal(read(false), "beside");
  }

  static AttributeDefinition attribute(String name, ScalarAttributeType type) {
    return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
  }

  static List<KeySchemaElement> schema(String partition) {
    return List.of(KeySchemaElement.builder().attributeName(partition).keyType(KeyType.HASH).build(),
        KeySchemaElement.builder().attributeName("sk").keyType(KeyType.RANGE).build());
  }

  public static void main(String[] args) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    http = DynamoDbClient.builder().endpointOverride(URI.create(ENDPOINT)).region(Region.US_EAST_1)
        .credentialsProvider(CREDENTIALS).build();
    http.createTable(t -> t.tableName(TABLE).billingMode(BillingMode.PAY_PER_REQUEST).keySchema(schema("pk"))
        .attributeDefinitions(attribute("pk", ScalarAttributeType.S), attribute("sk", ScalarAttributeType.N),
            attribute("status", ScalarAttributeType.S), attribute("turn", ScalarAttributeType.N))
        .localSecondaryIndexes(i -> i.indexName("by-turn").projection(p -> p.projectionType("KEYS_ONLY")).keySchema(
            KeySchemaElement.builder().attributeName("pk").keyType(KeyType.HASH).build(),
            KeySchemaElement.builder().attributeName("turn").keyType(KeyType.RANGE).build()))
        .globalSecondaryIndexes(i -> i.indexName("by-status").keySchema(schema("status")).projection(p -> p.projectionType("ALL"))));
    dax = ClusterDaxClient.builder().overrideConfiguration(Configuration.builder().url(System.getenv("DAX"))
        .region(Region.US_EAST_1).credentialsProvider(CREDENTIALS).build()).build();
    System.out.println("version " + version());
    var steps = new LinkedHashMap<String, Step>();
    steps.put("items", DaxClient::items);
    steps.put("conditions", DaxClient::conditions);
    steps.put("updates", DaxClient::updates);
    steps.put("pages", DaxClient::pages);
    steps.put("batches", DaxClient::batches);
    steps.put("transactions", DaxClient::transactions);
    steps.put("fields", DaxClient::fields);
    steps.put("staleness", DaxClient::staleness);
    for (var step : steps.entrySet()) {
      try {
        step.getValue().run();
        System.out.println("ok " + step.getKey());
      } catch (Throwable e) {
        System.out.println("failed " + step.getKey() + ": " + String.valueOf(e).replaceAll("\\s+", " "));
      }
    }
    System.exit(0); // DAX's client looks for its nodes forever
  }

  /** The version in the name of the client's file. */
  static String version() throws Exception {
    var file = ClusterDaxClient.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return file.replaceFirst(".*amazon-dax-client-(.*)\\.jar", "$1");
  }
}
