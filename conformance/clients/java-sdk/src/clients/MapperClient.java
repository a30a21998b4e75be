package clients;

import static clients.FirstSdk.*;
import static clients.Scenario.*;
import static com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBMapperConfig.SaveBehavior.*;

import com.amazonaws.services.dynamodbv2.datamodeling.*;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBMapperConfig.ConsistentReads;
import com.amazonaws.services.dynamodbv2.model.*;
import com.amazonaws.util.VersionInfoUtils;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** DynamoDBMapper: versions, save behaviors, lists that load their pages. */
final class MapperClient {
  static final DynamoDBMapper mapper = new DynamoDBMapper(db, DynamoDBMapperConfig.builder()
      .withConversionSchema(ConversionSchemas.V2)
      .withConsistentReads(ConsistentReads.CONSISTENT)
      .build());

  private MapperClient() {}

  static MappedOrder get(String customer, int at) {
    return mapper.load(MappedOrder.class, customer, at);
  }

  static List<Integer> times(List<MappedOrder> orders) {
    return orders.stream().map(MappedOrder::getAt).toList();
  }

  static AttributeValue n(int number) {
    return new AttributeValue().withN(String.valueOf(number));
  }

  static void tables() {
    var request = mapper.generateCreateTableRequest(MappedOrder.class)
        .withBillingMode(BillingMode.PAY_PER_REQUEST)
        .withStreamSpecification(new StreamSpecification()
            .withStreamEnabled(true)
            .withStreamViewType(StreamViewType.NEW_AND_OLD_IMAGES))
        .withTags(new Tag().withKey("team").withValue("shop"));
    request.getGlobalSecondaryIndexes().get(0)
        .setProjection(new Projection().withProjectionType(ProjectionType.ALL));
    request.getLocalSecondaryIndexes().get(0)
        .setProjection(new Projection().withProjectionType(ProjectionType.ALL));
    db.createTable(request);
    awaitTable();
    var made = db.describeTable(TABLE).getTable();
    equal(made.getTableStatus(), "ACTIVE");
    equal(made.getGlobalSecondaryIndexes().get(0).getIndexName(), "byStatus");
    equal(made.getLocalSecondaryIndexes().get(0).getIndexName(), "byAmount");
    equal(db.listTables().getTableNames(), List.of(TABLE));
    enableTimeToLive();
  }

  static void conditions() throws Exception {
    var order = new MappedOrder.Versioned();
    order.setCustomer("conditions");
    order.setAt(1);
    mapper.save(order);
    var other = mapper.load(order);
    equal(order.getVersion(), 1L);
    order.setNote("mine");
    mapper.save(order);
    other.setNote("other");
    thrown(ConditionalCheckFailedException.class, () -> mapper.save(other));
    thrown(ConditionalCheckFailedException.class, () -> mapper.delete(other));
    equal(mapper.load(order).getNote(), "mine");
    equal(mapper.load(order).getVersion(), 2L);
    var isNew = new DynamoDBSaveExpression()
        .withExpectedEntry("customer", new ExpectedAttributeValue(false));
    thrown(ConditionalCheckFailedException.class,
        () -> mapper.save(MappedOrder.of("conditions", 1), isNew));
    mapper.save(MappedOrder.of("conditions", 2), isNew);
    mapper.delete(order);
  }

  /** The save behaviors are the mapper's updates. */
  static void updates() {
    var order = MappedOrder.of("updates", 1, 5);
    order.setNote("x");
    order.setLabels(Set.of("a"));
    mapper.save(order, PUT.config());

    var change = MappedOrder.of("updates", 1);
    change.setNote("y");
    mapper.save(change, UPDATE_SKIP_NULL_ATTRIBUTES.config());
    equal(get("updates", 1).getAmount(), 5);
    equal(get("updates", 1).getNote(), "y");

    var labels = MappedOrder.of("updates", 1);
    labels.setLabels(Set.of("b"));
    mapper.save(labels, APPEND_SET.config());
    equal(get("updates", 1).getLabels(), Set.of("a", "b"));
    equal(get("updates", 1).getNote(), "y");

    mapper.save(change, UPDATE.config()); // what is null is removed
    equal(get("updates", 1).getLabels(), null);
    equal(get("updates", 1).getNote(), "y");

    mapper.save(MappedOrder.of("updates", 1, 7), CLOBBER.config());
    equal(get("updates", 1).getNote(), null);
    mapper.delete(change);
    equal(get("updates", 1), null);
  }

  static DynamoDBQueryExpression<MappedOrder> ofCustomer(String customer) {
    return new DynamoDBQueryExpression<MappedOrder>()
        .withKeyConditionExpression("customer = :customer")
        .withExpressionAttributeValues(Map.of(":customer", new AttributeValue(customer)));
  }

  static void pages() {
    for (int at = 1; at <= 7; at++) {
      var order = MappedOrder.of("pages", at, 80 - at);
      order.setStatus("paged");
      mapper.save(order);
    }
    var all = mapper.query(MappedOrder.class, ofCustomer("pages").withLimit(3)); // loads as it goes
    equal(times(all), List.of(1, 2, 3, 4, 5, 6, 7));
    var back = mapper.query(MappedOrder.class,
        ofCustomer("pages").withLimit(3).withScanIndexForward(false));
    equal(times(back), List.of(7, 6, 5, 4, 3, 2, 1));
    var first = mapper.queryPage(MappedOrder.class, ofCustomer("pages").withLimit(3));
    equal(times(first.getResults()), List.of(1, 2, 3));
    var second = mapper.queryPage(MappedOrder.class, ofCustomer("pages").withLimit(3)
        .withExclusiveStartKey(first.getLastEvaluatedKey()));
    equal(times(second.getResults()), List.of(4, 5, 6));
    var byAmount = mapper.query(MappedOrder.class, ofCustomer("pages").withIndexName("byAmount"));
    equal(times(byAmount), List.of(7, 6, 5, 4, 3, 2, 1));
    var status = MappedOrder.of(null, 0);
    status.setStatus("paged");
    var byStatus = mapper.query(MappedOrder.class, new DynamoDBQueryExpression<MappedOrder>()
        .withIndexName("byStatus")
        .withConsistentRead(false)
        .withHashKeyValues(status)
        .withRangeKeyCondition("at", new Condition()
            .withComparisonOperator(ComparisonOperator.BETWEEN)
            .withAttributeValueList(n(2), n(6)))
        .withQueryFilterEntry("amount", new Condition()
            .withComparisonOperator(ComparisonOperator.GT)
            .withAttributeValueList(n(76))));
    equal(times(byStatus), List.of(2, 3));
    equal(mapper.count(MappedOrder.class, ofCustomer("pages")), 7);
  }

  static void parallelScan() {
    IntStream.range(0, 200).forEach(at -> mapper.save(MappedOrder.of("scan", at)));
    var found = mapper.parallelScan(MappedOrder.class, new DynamoDBScanExpression()
        .withLimit(30)
        .withFilterExpression("customer = :customer")
        .withExpressionAttributeValues(Map.of(":customer", new AttributeValue("scan"))), 4);
    equal(found.stream().map(MappedOrder::getAt).sorted().toList(),
        IntStream.range(0, 200).boxed().toList());
  }

  /** The mapper sends the parts that are unprocessed again. */
  static void batches() throws Exception {
    unprocessed(() -> {
      var failed = mapper.batchSave(IntStream.range(0, 60)
          .mapToObj(i -> MappedOrder.of("customer-" + i, 1)).toList());
      equal(failed, List.of());
      var found = mapper.batchLoad(IntStream.range(0, 130)
          .mapToObj(i -> MappedOrder.of("customer-" + i, 1)).toList()).get(TABLE);
      equal(found.stream().map(order -> ((MappedOrder) order).getCustomer()).sorted().toList(),
          IntStream.range(0, 60).mapToObj(i -> "customer-" + i).sorted().toList());
    });
  }

  static void transact(int amount, String token) {
    var isNew = new DynamoDBTransactionWriteExpression()
        .withConditionExpression("attribute_not_exists(customer)");
    var hasAmount = new DynamoDBTransactionWriteExpression()
        .withConditionExpression("amount = :amount")
        .withExpressionAttributeValues(Map.of(":amount", n(amount)));
    mapper.transactionWrite(new TransactionWriteRequest()
        .withIdempotencyToken(token)
        .addPut(MappedOrder.of("transactions", 4, 40), isNew)
        .addUpdate(MappedOrder.of("transactions", 1, 11))
        .addDelete(MappedOrder.of("transactions", 2))
        .addConditionCheck(MappedOrder.of("transactions", 3), hasAmount,
            ReturnValuesOnConditionCheckFailure.ALL_OLD));
  }

  static void transactions() throws Exception {
    IntStream.rangeClosed(1, 3)
        .forEach(at -> mapper.save(MappedOrder.of("transactions", at, 10 * at)));
    var cancelled = thrown(TransactionCanceledException.class, () -> transact(31, "refused"));
    var reasons = cancelled.getCancellationReasons();
    equal(reasons.stream().map(CancellationReason::getCode).toList(),
        List.of("None", "None", "None", "ConditionalCheckFailed"));
    equal(mapper.marshallIntoObject(MappedOrder.class, reasons.get(3).getItem()).getAmount(), 30);
    equal(get("transactions", 1).getAmount(), 10);
    transact(30, "once");
    transact(30, "once"); // a repeat is not a second write, which would find order 4
    var found = mapper.transactionLoad(new TransactionLoadRequest()
        .addLoad(MappedOrder.of("transactions", 1))
        .addLoad(MappedOrder.of("transactions", 2)));
    equal(((MappedOrder) found.get(0)).getAmount(), 11);
    equal(found.get(1), null);
  }

  static Integer amount(Map<String, AttributeValue> image) {
    return image == null ? null : mapper.marshallIntoObject(MappedOrder.class, image).getAmount();
  }

  static void readStream() {
    mapper.save(MappedOrder.of("streams", 1, 10));
    mapper.save(MappedOrder.of("streams", 1, 20));
    mapper.delete(MappedOrder.of("streams", 1));
    var changes = records().stream()
        .filter(r -> r.getDynamodb().getKeys().get("customer").getS().equals("streams"))
        .map(r -> r.getEventName() + " " + amount(r.getDynamodb().getOldImage())
            + " " + amount(r.getDynamodb().getNewImage()))
        .toList();
    equal(changes, List.of("INSERT null 10", "MODIFY 10 20", "REMOVE 20 null"));
  }

  static void numbers() throws Exception {
    var order = MappedOrder.of("numbers", 1);
    var edges = EDGES.stream().map(BigDecimal::new).toList();
    order.setNumbers(edges);
    mapper.save(order);
    equal(get("numbers", 1).getNumbers().stream().map(BigDecimal::stripTrailingZeros).toList(),
        edges.stream().map(BigDecimal::stripTrailingZeros).toList());
    order.setNumbers(List.of(new BigDecimal(TOO_LONG)));
    var refused = thrown(AmazonDynamoDBException.class, () -> mapper.save(order));
    equal(refused.getErrorMessage().contains(TOO_LONG_MESSAGE), true);
  }

  static void values() {
    var address = new MappedOrder.Address();
    address.setCity("Köln");
    address.setLines(List.of("x", "y"));
    var order = MappedOrder.of("values", 1);
    order.setNote(""); // the mapper does not write it
    order.setLabels(Set.of("a", "ü"));
    order.setBinaries(Set.of(ByteBuffer.allocate(0), ByteBuffer.wrap(new byte[] {0, -1})));
    order.setFlags(Map.of("paid", true, "sent", false));
    order.setAddress(address);
    mapper.save(order);
    var found = get("values", 1);
    equal(found.getNote(), null);
    equal(found.getLabels(), order.getLabels());
    equal(found.getBinaries(), order.getBinaries());
    equal(found.getFlags(), order.getFlags());
    equal(found.getAddress().getCity(), "Köln");
    equal(found.getAddress().getLines(), List.of("x", "y"));
    equal(found.getStatus(), null);
  }

  static void expiry() throws Exception {
    var order = MappedOrder.of("expiry", 1);
    order.setExpires(Instant.now().plusSeconds(3600).getEpochSecond());
    mapper.save(order);
    equal(get("expiry", 1).getExpires(), order.getExpires());
    advance("20h");
    equal(get("expiry", 1), null);
    checkExpired();
  }

  static void deletion() throws Exception {
    db.deleteTable(mapper.generateDeleteTableRequest(MappedOrder.class));
    awaitNoTable();
    thrown(ResourceNotFoundException.class, () -> get("deletion", 1));
  }

  public static void main(String[] args) {
    begin(VersionInfoUtils.getVersion());
    checkDefaultEndpoint();
    step("tables", MapperClient::tables);
    step("conditions", MapperClient::conditions);
    step("updates", MapperClient::updates);
    step("pages", MapperClient::pages);
    step("parallel scan", MapperClient::parallelScan);
    step("batches", MapperClient::batches);
    step("transactions", MapperClient::transactions);
    leftOut("PartiQL", "has no PartiQL");
    step("streams", MapperClient::readStream);
    step("numbers", MapperClient::numbers);
    step("values", MapperClient::values);
    step("expiry", MapperClient::expiry);
    step("deletion", MapperClient::deletion);
  }
}
