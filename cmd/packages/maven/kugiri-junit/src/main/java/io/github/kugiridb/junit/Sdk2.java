package io.github.kugiridb.junit;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** Clients of the AWS SDK for Java 2. */
final class Sdk2 {
  private Sdk2() {}

  static DynamoDbClient client(Clients clients) {
    return build(DynamoDbClient.builder(), clients);
  }

  static DynamoDbAsyncClient async(Clients clients) {
    return build(DynamoDbAsyncClient.builder(), clients);
  }

  static DynamoDbStreamsClient streams(Clients clients) {
    return build(DynamoDbStreamsClient.builder(), clients);
  }

  private static <B extends AwsClientBuilder<B, C>, C extends SdkAutoCloseable> C build(
      B builder, Clients clients) {
    AwsBasicCredentials credentials = AwsBasicCredentials.create(clients.accessKey, "kugiri");
    C client =
        builder
            .endpointOverride(clients.endpoint)
            .region(Region.US_EAST_1)
            .credentialsProvider(StaticCredentialsProvider.create(credentials))
            .build();
    clients.onClose(client::close);
    return client;
  }
}
