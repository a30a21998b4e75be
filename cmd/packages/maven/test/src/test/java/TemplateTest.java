import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kugiridb.junit.KugiriTest;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The tests begin with what the class has written. */
@KugiriTest
class TemplateTest {
  @BeforeAll
  static void write(DynamoDbClient db) {
    db.putItem(p -> p.tableName("orders").item(Map.of("id", AttributeValue.fromS("2"))));
  }

  @BeforeEach
  void delete(DynamoDbClient db) {
    db.deleteItem(d -> d.tableName("orders").key(Map.of("id", AttributeValue.fromS("1"))));
  }

  @RepeatedTest(2)
  void hasItem(DynamoDbClient db) {
    assertEquals(1, db.scan(s -> s.tableName("orders")).count());
    db.deleteItem(d -> d.tableName("orders").key(Map.of("id", AttributeValue.fromS("2"))));
  }

  @Nested
  class InnerTest {
    @Test
    void hasItemToo(DynamoDbClient db) {
      assertEquals("2", db.scan(s -> s.tableName("orders")).items().get(0).get("id").s());
    }
  }
}
