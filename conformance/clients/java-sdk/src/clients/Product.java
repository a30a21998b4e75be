package clients;

import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.*;
import software.amazon.awssdk.enhanced.dynamodb.model.DistanceFunction;

/** A product that a vector index finds by its embedding. */
@DynamoDbBean
public class Product {
  static final String INDEX = "byEmbedding";

  private String id;
  private String category;
  private String brand;
  private String title;
  private List<Float> embedding;

  static Product of(String id, String category, String brand, Float... embedding) {
    var product = new Product();
    product.setId(id);
    product.setCategory(category);
    product.setBrand(brand);
    product.setTitle("the " + id);
    product.setEmbedding(List.of(embedding));
    return product;
  }

  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  @DynamoDbSearchVectorsHashKey(indexNames = INDEX)
  public String getCategory() {
    return category;
  }

  public void setCategory(String category) {
    this.category = category;
  }

  @DynamoDbSearchVectorsInlineFilterKey(indexNames = INDEX)
  public String getBrand() {
    return brand;
  }

  public void setBrand(String brand) {
    this.brand = brand;
  }

  public String getTitle() {
    return title;
  }

  public void setTitle(String title) {
    this.title = title;
  }

  @DynamoDbVectorAttribute(
      indexName = INDEX, dimensions = 3, distanceFunction = DistanceFunction.EUCLIDEAN)
  public List<Float> getEmbedding() {
    return embedding;
  }

  public void setEmbedding(List<Float> embedding) {
    this.embedding = embedding;
  }
}
