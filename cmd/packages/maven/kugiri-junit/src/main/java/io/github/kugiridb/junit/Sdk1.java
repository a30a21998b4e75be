package io.github.kugiridb.junit;

import com.amazonaws.auth.AWSStaticCredentialsProvider;
import com.amazonaws.auth.BasicAWSCredentials;
import com.amazonaws.client.builder.AwsClientBuilder.EndpointConfiguration;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDB;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBClientBuilder;

/** Clients of the AWS SDK for Java 1. */
final class Sdk1 {
  private Sdk1() {}

  static AmazonDynamoDB client(Clients clients) {
    BasicAWSCredentials credentials = new BasicAWSCredentials(clients.accessKey, "kugiri");
    AmazonDynamoDB client =
        AmazonDynamoDBClientBuilder.standard()
            .withEndpointConfiguration(
                new EndpointConfiguration(clients.endpoint.toString(), "us-east-1"))
            .withCredentials(new AWSStaticCredentialsProvider(credentials))
            .build();
    clients.onClose(client::shutdown);
    return client;
  }
}
