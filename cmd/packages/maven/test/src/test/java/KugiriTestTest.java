import static org.junit.jupiter.api.Assertions.*;

import com.amazonaws.services.dynamodbv2.AmazonDynamoDB;
import io.github.kugiridb.KugiriException;
import io.github.kugiridb.KugiriFork;
import io.github.kugiridb.junit.Kugiri;
import io.github.kugiridb.junit.KugiriTest;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

class KugiriTestTest {
  /** Two classes that run at the same time write the same key of one seed. */
  abstract static class Writes {
    final DynamoDbClient db;

    Writes(DynamoDbClient db) {
      this.db = db;
    }

    @RepeatedTest(20)
    void adds(KugiriFork fork) {
      assertEquals(1, db.scan(s -> s.tableName("orders")).count());
      db.putItem(p -> p.tableName("orders").item(Map.of("id", AttributeValue.fromS("2"))));
      assertEquals(2, db.scan(s -> s.tableName("orders")).count());
      assertFalse(fork.accessKey().isEmpty());
    }
  }

  @Nested
  @KugiriTest
  class FirstTest extends Writes {
    FirstTest(DynamoDbClient db) {
      super(db);
    }
  }

  @Nested
  @ExtendWith(Kugiri.class)
  class SecondTest extends Writes {
    SecondTest(DynamoDbClient db) {
      super(db);
    }
  }

  @Nested
  @KugiriTest
  class ClientsTest {
    @Test
    void shareFork(
        DynamoDbClient db,
        DynamoDbAsyncClient async,
        DynamoDbEnhancedClient enhanced,
        DynamoDbEnhancedAsyncClient enhancedAsync,
        DynamoDbStreamsClient streams,
        AmazonDynamoDB first) {
      db.putItem(p -> p.tableName("orders").item(Map.of("id", AttributeValue.fromS("2"))));
      assertEquals(2, async.scan(s -> s.tableName("orders")).join().count());
      Key key = Key.builder().partitionValue("2").build();
      TableSchema<Order> schema = TableSchema.fromBean(Order.class);
      assertEquals("2", enhanced.table("orders", schema).getItem(key).getId());
      assertEquals("2", enhancedAsync.table("orders", schema).getItem(key).join().getId());
      assertFalse(streams.listStreams(s -> {}).streams().isEmpty());
      first.deleteItem("orders", Map.of("id", new com.amazonaws.services.dynamodbv2.model.AttributeValue("1")));
      assertEquals(1, db.scan(s -> s.tableName("orders")).count());
    }
  }

  /** An annotation's seed and flags are in place of the parameters of the configuration. */
  @Nested
  @KugiriTest(seed = "testdata/orders.json", flags = "--clock=2026-01-01T00:00:00Z")
  class SettingsTest {
    @Test
    void apply(KugiriFork fork, DynamoDbClient db) {
      assertEquals(1, db.scan(s -> s.tableName("orders")).count());
      assertTrue(fork.admin("GET", "clock", "").contains("2026-01-01"));
    }

    @Test
    void refusesUnknownPath(KugiriFork fork) {
      assertThrows(KugiriException.class, () -> fork.admin("GET", "nothing", ""));
    }
  }

  @Nested
  @KugiriTest
  class DefaultsTest {
    @Test
    void holdClock(KugiriFork fork) {
      assertTrue(fork.admin("POST", "clock/advance", "{\"by\": \"1h\"}").contains("\"held\":true"));
    }
  }

  @DynamoDbBean
  public static class Order {
    private String id;

    @DynamoDbPartitionKey
    public String getId() {
      return id;
    }

    public void setId(String id) {
      this.id = id;
    }
  }
}
