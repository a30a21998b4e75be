package io.github.kugiridb;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The admin API of a server. Several threads may use it. */
public final class KugiriAdmin {
  // A proxy of the environment does not reach this machine.
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .proxy(HttpClient.Builder.NO_PROXY)
          .version(HttpClient.Version.HTTP_1_1)
          .build();
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final URI endpoint;
  private final String token;

  /**
   * Names a server that has the admin API.
   *
   * @param endpoint the server's address
   * @param token the token of the admin API; empty if the server asks for none
   */
  public KugiriAdmin(URI endpoint, String token) {
    this.endpoint = endpoint;
    this.token = token;
  }

  /**
   * Returns the server's address.
   *
   * @return the endpoint of clients
   */
  public URI endpoint() {
    return endpoint;
  }

  /**
   * Makes a fork of the seed.
   *
   * @return a fork that begins with what every access key begins with
   */
  public KugiriFork fork() {
    return new KugiriFork(this, null);
  }

  /**
   * Sends a request.
   *
   * @param method the HTTP method
   * @param path what follows {@code /_kugiri/}, such as {@code clock/advance}
   * @param body JSON, or an empty string
   * @return the body of the answer
   * @throws KugiriException if the server refuses the request
   */
  public String request(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint.resolve("/_kugiri/" + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    String name = method + " /_kugiri/" + path + ": ";
    try {
      var answer = CLIENT.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new KugiriException(name + answer.body().trim(), null);
      }
      return answer.body();
    } catch (IOException e) {
      throw new KugiriException(name + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KugiriException(name + "the thread was interrupted", e);
    }
  }
}
