package io.github.kugiridb;

import java.net.URI;
import java.util.UUID;

/**
 * The tables of an access key of its own. Requests that are signed with this key, and with any
 * secret, see only these tables.
 */
public final class KugiriFork implements AutoCloseable {
  private final KugiriAdmin admin;
  private final String accessKey = "fork-" + UUID.randomUUID();

  /** Makes a fork of the access key from, or if that is null, of the seed. */
  KugiriFork(KugiriAdmin admin, String from) {
    this.admin = admin;
    String source = from == null ? "" : ", \"from\": \"" + from + "\"";
    admin.request("POST", "forks", "{\"accessKey\": \"" + accessKey + "\"" + source + "}");
  }

  /**
   * Returns the server's address.
   *
   * @return the endpoint of clients
   */
  public URI endpoint() {
    return admin.endpoint();
  }

  /**
   * Returns the access key of clients.
   *
   * @return the key, which the server knows until {@link #close}
   */
  public String accessKey() {
    return accessKey;
  }

  /**
   * Returns the admin API of the server, for what does not concern this fork alone.
   *
   * @return the admin API
   */
  public KugiriAdmin server() {
    return admin;
  }

  /**
   * Makes a fork of this one.
   *
   * @return a fork that begins with the tables and items of this one
   */
  public KugiriFork fork() {
    return new KugiriFork(admin, accessKey);
  }

  /**
   * Sends a request to the part of the admin API that is for this fork.
   *
   * @param method the HTTP method
   * @param path such as {@code clock/advance} or {@code faults}
   * @param body JSON, or an empty string
   * @return the body of the answer
   */
  public String admin(String method, String path, String body) {
    return admin.request(method, "forks/" + accessKey + "/" + path, body);
  }

  /** Removes the fork with all that it has. */
  @Override
  public void close() {
    admin.request("DELETE", "forks/" + accessKey, "");
  }
}
