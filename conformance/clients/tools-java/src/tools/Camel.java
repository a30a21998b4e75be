package tools;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static tools.Steps.*;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.aws2.ddb.Ddb2Component;
import org.apache.camel.component.aws2.ddb.Ddb2Constants;
import org.apache.camel.component.aws2.ddb.Ddb2Operations;
import org.apache.camel.impl.DefaultCamelContext;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ExpectedAttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Camel: a route that writes orders, and one that reads the changes of them. */
final class Camel {
  static final String TABLE = "aws2-ddb:orders?useDefaultCredentialsProvider=true&region=us-east-1";
  static final String STREAM =
      "aws2-ddbstream:orders?useDefaultCredentialsProvider=true&region=us-east-1&delay=100"
          + "&initialDelay=0&greedy=true";

  private Camel() {}

  /** A context with routes, in which changes are what its stream has read. */
  static final class Routes implements AutoCloseable {
    final DefaultCamelContext context = new DefaultCamelContext();
    final List<Record> changes = new CopyOnWriteArrayList<>();

    Routes(String stream) throws Exception {
      context.addRoutes(new RouteBuilder() {
        @Override
        public void configure() {
          from("direct:orders").to(TABLE);
          if (stream != null) {
            from(stream).process(e -> changes.add(e.getMessage().getBody(Record.class)));
          }
        }
      });
      context.start();
    }

    Map<String, Object> send(Ddb2Operations operation, Map<String, Object> headers) {
      var template = context.createProducerTemplate();
      var answer = template.request("direct:orders", exchange -> {
        exchange.getMessage().setHeader(Ddb2Constants.OPERATION, operation);
        exchange.getMessage().setHeaders(merged(exchange.getMessage().getHeaders(), headers));
      });
      if (answer.getException() != null) {
        throw new CamelExecutionException("refused", answer, answer.getException());
      }
      return answer.getMessage().getHeaders();
    }

    void put(String customer, int number) {
      send(Ddb2Operations.PutItem, Map.of(Ddb2Constants.ITEM, order(customer, number)));
    }

    /** The numbers of a customer's new images, in the order in which they came. */
    List<Integer> numbers(String customer) {
      return changes.stream().map(c -> c.dynamodb().newImage())
          .filter(image -> image.get("customer").s().equals(customer))
          .map(image -> Integer.valueOf(image.get("number").n()))
          .toList();
    }

    @Override
    public void close() {
      context.stop();
    }
  }

  static Map<String, Object> merged(Map<String, Object> one, Map<String, Object> other) {
    one.putAll(other);
    return one;
  }

  static Map<String, AttributeValue> order(String customer, int number) {
    return Map.of("customer", fromS(customer), "number", fromN(String.valueOf(number)));
  }

  static List<Integer> to(int n) {
    return IntStream.range(0, n).boxed().toList();
  }

  static void table() {
    db.createTable(table -> table.tableName("orders")
        .keySchema(k -> k.attributeName("customer").keyType(KeyType.HASH),
            k -> k.attributeName("number").keyType(KeyType.RANGE))
        .attributeDefinitions(
            a -> a.attributeName("customer").attributeType(ScalarAttributeType.S),
            a -> a.attributeName("number").attributeType(ScalarAttributeType.N))
        .billingMode("PAY_PER_REQUEST")
        .streamSpecification(s -> s.streamEnabled(true).streamViewType("NEW_AND_OLD_IMAGES")));
  }

  static void items() throws Exception {
    try (var routes = new Routes(null)) {
      routes.put("eve", 1);
      var found = routes.send(Ddb2Operations.GetItem, Map.of(
          Ddb2Constants.KEY, order("eve", 1), Ddb2Constants.CONSISTENT_READ, true,
          Ddb2Constants.ATTRIBUTE_NAMES, List.of("customer", "number")));
      equal(found.get(Ddb2Constants.ATTRIBUTES), order("eve", 1));
      Map<String, Object> again = Map.of(Ddb2Constants.ITEM, order("eve", 1),
          Ddb2Constants.UPDATE_CONDITION,
          Map.of("customer", ExpectedAttributeValue.builder().exists(false).build()));
      thrown(ConditionalCheckFailedException.class,
          () -> routes.send(Ddb2Operations.PutItem, again));
    }
  }

  /** A route that reads from the beginning gets 400 changes of ten customers, each in its order. */
  static void stream() throws Exception {
    try (var routes = new Routes(STREAM + "&streamIteratorType=FROM_START")) {
      for (int i = 0; i < 400; i++) {
        routes.put("c" + i % 10, i / 10);
      }
      until(() -> routes.changes.size() >= 401);
      for (int c = 0; c < 10; c++) {
        equal(routes.numbers("c" + c), to(40));
      }
      equal(routes.numbers("eve"), List.of(1));
    }
  }

  /** A route that reads from now gets none of them. */
  static void latest() throws Exception {
    try (var routes = new Routes(STREAM + "&streamIteratorType=FROM_LATEST")) {
      var sent = new int[1];
      until(() -> { // the route has its place in the stream after its first poll
        routes.put("new", sent[0]++);
        return !routes.changes.isEmpty();
      });
      equal(routes.changes.stream()
          .allMatch(c -> c.dynamodb().newImage().get("customer").s().equals("new")), true);
    }
  }

  public static void main(String[] args) {
    begin(Ddb2Component.class);
    step("table", Camel::table);
    step("items", Camel::items);
    step("stream", Camel::stream);
    leftOut("shards", "does not read the shards that follow one that has ended");
    step("latest", Camel::latest);
  }
}
