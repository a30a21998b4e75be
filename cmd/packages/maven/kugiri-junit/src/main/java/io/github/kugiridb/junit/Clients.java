package io.github.kugiridb.junit;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The clients of an access key, each made once. It names their types by text, and each SDK has a class of
 * its own below: what a test does not have on its class path is not loaded.
 */
final class Clients implements AutoCloseable {
  // A method reference would load the type that the method returns.
  private static final Map<String, Function<Clients, Object>> MAKERS =
      Map.of(
          "software.amazon.awssdk.services.dynamodb.DynamoDbClient", c -> Sdk2.client(c),
          "software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient", c -> Sdk2.async(c),
          "software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient",
              c -> Sdk2.streams(c),
          "software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient",
              c -> Sdk2Enhanced.client(c),
          "software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient",
              c -> Sdk2Enhanced.async(c),
          "com.amazonaws.services.dynamodbv2.AmazonDynamoDB", c -> Sdk1.client(c));

  final URI endpoint;
  final String accessKey;
  private final Map<String, Object> made = new HashMap<>();
  private final Deque<Runnable> ends = new ArrayDeque<>();

  Clients(URI endpoint, String accessKey) {
    this.endpoint = endpoint;
    this.accessKey = accessKey;
  }

  static boolean supports(String type) {
    return MAKERS.containsKey(type);
  }

  synchronized Object get(String type) {
    Object client = made.get(type);
    if (client == null) {
      client = MAKERS.get(type).apply(this);
      made.put(type, client);
    }
    return client;
  }

  <T> T get(Class<T> type) {
    return type.cast(get(type.getName()));
  }

  /** Has close call a function that ends a client. */
  void onClose(Runnable end) {
    ends.push(end);
  }

  @Override
  public synchronized void close() {
    while (!ends.isEmpty()) {
      ends.pop().run();
    }
  }
}
