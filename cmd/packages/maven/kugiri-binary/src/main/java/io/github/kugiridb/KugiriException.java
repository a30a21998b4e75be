package io.github.kugiridb;

/** The server does not start, or refuses a request of the admin API. */
public final class KugiriException extends RuntimeException {
  private static final long serialVersionUID = 1;

  KugiriException(String message, Throwable cause) {
    super(message, cause);
  }
}
