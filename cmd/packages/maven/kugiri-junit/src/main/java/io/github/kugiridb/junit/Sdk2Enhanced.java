package io.github.kugiridb.junit;

import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Enhanced clients of the AWS SDK for Java 2, over the clients that the test has. */
final class Sdk2Enhanced {
  private Sdk2Enhanced() {}

  static DynamoDbEnhancedClient client(Clients clients) {
    return DynamoDbEnhancedClient.builder()
        .dynamoDbClient(clients.get(DynamoDbClient.class))
        .build();
  }

  static DynamoDbEnhancedAsyncClient async(Clients clients) {
    return DynamoDbEnhancedAsyncClient.builder()
        .dynamoDbClient(clients.get(DynamoDbAsyncClient.class))
        .build();
  }
}
