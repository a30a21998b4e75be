package clients;

import static clients.Scenario.*;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.util.List;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.enhanced.dynamodb.*;
import software.amazon.awssdk.enhanced.dynamodb.model.SearchVectorsEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;

/** Vector indexes with the Enhanced Client. */
final class VectorClient {
  static final String TABLE = "products";
  static final DynamoDbClient db = DynamoDbClient.create();
  static final DynamoDbTable<Product> products = DynamoDbEnhancedClient.builder()
      .dynamoDbClient(db).build().table(TABLE, TableSchema.fromBean(Product.class));

  private VectorClient() {}

  static Expression where(String expression, String value) {
    return Expression.builder()
        .expression(expression).putExpressionValue(":value", fromS(value)).build();
  }

  /** Returns the products that a search finds, the nearest first, each with its distance. */
  static List<String> found(SearchVectorsEnhancedRequest.Builder search) {
    return products.vectorIndex(Product.INDEX)
        .searchVectorsWithResponse(search.build()).results().stream()
        .map(result -> result.item().getTitle() + " " + result.score())
        .toList();
  }

  static SearchVectorsEnhancedRequest.Builder near(float... vector) {
    return SearchVectorsEnhancedRequest.builder().searchVector(vector).topK(2);
  }

  static void table() {
    products.createTable();
    db.waiter().waitUntilTableExists(table -> table.tableName(TABLE));
    var index = products.describeTable().table().vectorIndexes().get(0);
    equal(index.indexName(), Product.INDEX);
    equal(index.dimensions(), 3L);
    equal(index.distanceFunction(), VectorDistanceFunction.EUCLIDEAN);
  }

  static void search() {
    products.putItem(Product.of("lamp", "home", "sun", 1f, 0f, 0f));
    products.putItem(Product.of("desk", "home", "oak", 1f, 2f, 0f));
    products.putItem(Product.of("rug", "home", "oak", 9f, 9f, 9f));
    products.putItem(Product.of("hammer", "tools", "oak", 1f, 0f, 0f));
    equal(found(near(1, 0, 0).searchConditionExpression(where("category = :value", "home"))),
        List.of("the lamp 0.0", "the desk 2.0"));
  }

  static void filter() {
    var oak = Expression.builder()
        .expression("category = :category AND brand = :brand")
        .putExpressionValue(":category", fromS("home"))
        .putExpressionValue(":brand", fromS("oak")).build();
    equal(found(near(1, 0, 0).searchConditionExpression(oak)).get(0), "the desk 2.0");
  }

  static void update() {
    products.updateItem(Product.of("rug", "home", "oak", 1f, 0f, 1f));
    products.deleteItem(Key.builder().partitionValue("lamp").build());
    equal(found(near(1, 0, 0).searchConditionExpression(where("category = :value", "home"))),
        List.of("the rug 1.0", "the desk 2.0"));
  }

  static void refusal() throws Exception {
    var refused = thrown(DynamoDbException.class, () -> found(near(1, 0)));
    equal(refused.awsErrorDetails().errorMessage(),
        "Input search vector dimension 2 does not match vector index dimension 3");
  }

  public static void main(String[] args) {
    begin(VersionInfo.SDK_VERSION);
    step("table", VectorClient::table);
    step("search", VectorClient::search);
    step("filter", VectorClient::filter);
    step("update", VectorClient::update);
    step("refusal", VectorClient::refusal);
  }
}
