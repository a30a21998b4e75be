import static org.junit.jupiter.api.Assertions.*;

import io.github.kugiridb.KugiriAdmin;
import io.github.kugiridb.KugiriException;
import io.github.kugiridb.KugiriFork;
import io.github.kugiridb.testcontainers.KugiriContainer;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class KugiriContainerTest {
  private static final Path SEED = Path.of("testdata");

  @Test
  void forksSeed() {
    try (KugiriContainer container = new KugiriContainer(KugiriContainer.IMAGE).withSeed(SEED)) {
      container.start();
      try (KugiriFork first = container.fork();
          KugiriFork second = container.fork()) {
        put(first, "2");
        assertEquals(2, count(first));
        assertEquals(1, count(second));
      }
    }
  }

  @Test
  void takesFileAsSeed() {
    try (KugiriContainer container =
        new KugiriContainer(KugiriContainer.IMAGE).withSeed(SEED.resolve("orders.json"))) {
      container.start();
      assertEquals(1, count(container.endpoint(), "any"));
    }
  }

  @Test
  void takesCommandLineOfDynamoDbLocal() {
    try (KugiriContainer container =
        new KugiriContainer(KugiriContainer.IMAGE)
            .withSeed(SEED)
            .withCommand("-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb")) {
      container.start();
      assertEquals(1, count(container.endpoint(), "any"));
      assertEquals(1, count(container.endpoint(), "another"));
    }
  }

  /** Other machines reach the container's port. */
  @Test
  void asksForToken() {
    try (KugiriContainer container = new KugiriContainer(KugiriContainer.IMAGE)) {
      container.start();
      KugiriAdmin stranger = new KugiriAdmin(container.endpoint(), "");
      assertThrows(KugiriException.class, () -> stranger.request("GET", "faults", ""));
      assertFalse(container.admin().request("GET", "faults", "").isEmpty());
    }
  }

  private static DynamoDbClient client(URI endpoint, String key) {
    AwsBasicCredentials credentials = AwsBasicCredentials.create(key, "x");
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(StaticCredentialsProvider.create(credentials))
        .build();
  }

  private static void put(KugiriFork fork, String id) {
    try (DynamoDbClient db = client(fork.endpoint(), fork.accessKey())) {
      db.putItem(p -> p.tableName("orders").item(Map.of("id", AttributeValue.fromS(id))));
    }
  }

  private static int count(KugiriFork fork) {
    return count(fork.endpoint(), fork.accessKey());
  }

  private static int count(URI endpoint, String key) {
    try (DynamoDbClient db = client(endpoint, key)) {
      return db.scan(s -> s.tableName("orders")).count();
    }
  }
}
