package clients;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromL;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromSs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.*;

/** A table of orders, and the requests that the synchronous and the asynchronous client send. */
final class Orders {
  static final String TABLE = "orders";

  static final String INSERT = "INSERT INTO orders VALUE {'customer': ?, 'at': ?, 'amount': ?}";
  static final String SELECT = "SELECT * FROM orders WHERE customer = ? AND amount > ?";
  static final String ADD_ONE =
      "UPDATE orders SET amount = amount + 1 WHERE customer = ? AND \"at\" = ? RETURNING ALL NEW *";

  private Orders() {}

  static Map<String, AttributeValue> key(String customer, int at) {
    return Map.of("customer", fromS(customer), "at", number(at));
  }

  /** Returns an order with more attributes than its key. */
  static Map<String, AttributeValue> order(
      String customer, int at, Map<String, AttributeValue> more) {
    var order = new HashMap<>(key(customer, at));
    order.putAll(more);
    return order;
  }

  static AttributeValue number(int n) {
    return fromN(String.valueOf(n));
  }

  static List<Integer> times(List<Map<String, AttributeValue>> orders) {
    return orders.stream().map(order -> Integer.parseInt(order.get("at").n())).toList();
  }

  static CreateTableRequest createTable() {
    return CreateTableRequest.builder()
        .tableName(TABLE)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(
            attribute("customer", ScalarAttributeType.S),
            attribute("at", ScalarAttributeType.N),
            attribute("status", ScalarAttributeType.S),
            attribute("amount", ScalarAttributeType.N))
        .keySchema(element("customer", KeyType.HASH), element("at", KeyType.RANGE))
        .globalSecondaryIndexes(index -> index
            .indexName("byStatus")
            .keySchema(element("status", KeyType.HASH), element("at", KeyType.RANGE))
            .projection(p -> p.projectionType(ProjectionType.ALL)))
        .localSecondaryIndexes(index -> index
            .indexName("byAmount")
            .keySchema(element("customer", KeyType.HASH), element("amount", KeyType.RANGE))
            .projection(p -> p.projectionType(ProjectionType.KEYS_ONLY)))
        .streamSpecification(stream -> stream
            .streamEnabled(true)
            .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES))
        .tags(tag -> tag.key("team").value("shop"))
        .build();
  }

  static UpdateTableRequest addIndex() {
    return UpdateTableRequest.builder()
        .tableName(TABLE)
        .attributeDefinitions(attribute("courier", ScalarAttributeType.S))
        .globalSecondaryIndexUpdates(update -> update.create(index -> index
            .indexName("byCourier")
            .keySchema(element("courier", KeyType.HASH))
            .projection(p -> p
                .projectionType(ProjectionType.INCLUDE)
                .nonKeyAttributes("amount"))))
        .build();
  }

  static UpdateTimeToLiveRequest enableTimeToLive() {
    return UpdateTimeToLiveRequest.builder()
        .tableName(TABLE)
        .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName("expires"))
        .build();
  }

  private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
    return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
  }

  private static KeySchemaElement element(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  /** Replaces an order if it has that version, and returns it otherwise. */
  static PutItemRequest replace(Map<String, AttributeValue> order, int version) {
    return PutItemRequest.builder()
        .tableName(TABLE)
        .item(order)
        .conditionExpression("version = :version")
        .expressionAttributeValues(Map.of(":version", number(version)))
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .build();
  }

  /** Returns an update that uses all that an update expression has. */
  static UpdateItemRequest update(Map<String, AttributeValue> key) {
    return UpdateItemRequest.builder()
        .tableName(TABLE)
        .key(key)
        .updateExpression("SET amount = amount - :two, version = if_not_exists(version, :seven), "
            + "notes = list_append(notes, :notes) REMOVE note ADD hits :two DELETE labels :labels")
        .expressionAttributeValues(Map.of(
            ":two", number(2),
            ":seven", number(7),
            ":notes", fromL(List.of(fromS("second"))),
            ":labels", fromSs(List.of("a"))))
        .returnValues(ReturnValue.ALL_NEW)
        .build();
  }

  static QueryRequest.Builder ofCustomer(String customer) {
    return QueryRequest.builder()
        .tableName(TABLE)
        .keyConditionExpression("customer = :customer")
        .expressionAttributeValues(Map.of(":customer", fromS(customer)));
  }

  /** Returns a query of an index, with a filter. */
  static QueryRequest ofStatus(String status, int moreThan) {
    return QueryRequest.builder()
        .tableName(TABLE)
        .indexName("byStatus")
        .keyConditionExpression("#status = :status")
        .filterExpression("amount > :amount")
        .expressionAttributeNames(Map.of("#status", "status"))
        .expressionAttributeValues(Map.of(":status", fromS(status), ":amount", number(moreThan)))
        .build();
  }

  static ScanRequest segment(int segment) {
    return ScanRequest.builder()
        .tableName(TABLE)
        .filterExpression("customer = :customer")
        .expressionAttributeValues(Map.of(":customer", fromS("scan")))
        .segment(segment)
        .totalSegments(4)
        .limit(30)
        .build();
  }

  static Map<String, List<WriteRequest>> putAll(List<Map<String, AttributeValue>> orders) {
    return Map.of(TABLE, orders.stream()
        .map(order -> WriteRequest.builder().putRequest(put -> put.item(order)).build())
        .toList());
  }

  static Map<String, KeysAndAttributes> getAll(int from, int to) {
    var keys = IntStream.range(from, to).mapToObj(i -> key("customer-" + i, 1)).toList();
    return Map.of(TABLE, KeysAndAttributes.builder().keys(keys).build());
  }

  /** Returns a transaction of each kind of action, which holds if order 3 has that amount. */
  static TransactWriteItemsRequest.Builder transaction(int amount) {
    String customer = "transactions";
    return TransactWriteItemsRequest.builder().transactItems(
        action -> action.put(put -> put
            .tableName(TABLE)
            .item(order(customer, 4, Map.of("amount", number(40))))),
        action -> action.update(update -> update
            .tableName(TABLE)
            .key(key(customer, 1))
            .updateExpression("ADD amount :one")
            .expressionAttributeValues(Map.of(":one", number(1)))),
        action -> action.delete(delete -> delete
            .tableName(TABLE)
            .key(key(customer, 2))),
        action -> action.conditionCheck(check -> check
            .tableName(TABLE)
            .key(key(customer, 3))
            .conditionExpression("amount = :amount")
            .expressionAttributeValues(Map.of(":amount", number(amount)))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)));
  }

  static BatchStatementRequest insertOne(String customer, int at) {
    return BatchStatementRequest.builder()
        .statement(INSERT)
        .parameters(fromS(customer), number(at), number(60))
        .build();
  }

  static ParameterizedStatement setZero(String customer, int at) {
    return ParameterizedStatement.builder()
        .statement("UPDATE orders SET amount = 0 WHERE customer = ? AND \"at\" = ?")
        .parameters(fromS(customer), number(at))
        .build();
  }
}
