package io.github.kugiridb.testcontainers;

import io.github.kugiridb.KugiriAdmin;
import io.github.kugiridb.KugiriFork;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A container with a server. It can take the place of one of {@code amazon/dynamodb-local}: the
 * server takes that command line too, by {@code withCommand}.
 */
public final class KugiriContainer extends GenericContainer<KugiriContainer> {
  /** The image without a tag. */
  public static final String IMAGE = "ghcr.io/kugiri-db/kugiri";

  private static final int PORT = 8000;

  private final String token = UUID.randomUUID().toString();

  /**
   * Describes a container.
   *
   * @param image the name of an image of Kugiri
   */
  public KugiriContainer(String image) {
    this(DockerImageName.parse(image));
  }

  /**
   * Describes a container.
   *
   * @param image the name of an image of Kugiri
   */
  public KugiriContainer(DockerImageName image) {
    super(image);
    withExposedPorts(PORT);
    withCommand("serve");
    // The container's network makes requests of the tests come from another machine.
    withEnv("KUGIRI_ADMIN", "true");
    withEnv("KUGIRI_ADMIN_ALLOW_REMOTE", "true");
    withEnv("KUGIRI_ADMIN_TOKEN", token);
    waitingFor(Wait.forHttp("/readyz").forPort(PORT));
  }

  /**
   * Copies a file, or the files of a directory, into the container. All access keys begin with their
   * tables and items.
   *
   * @param path the file or directory
   * @return this container
   */
  public KugiriContainer withSeed(Path path) {
    String target = Files.isDirectory(path) ? "/seed/" : "/seed/" + path.getFileName();
    return withEnv("KUGIRI_SEED", "/seed")
        .withCopyFileToContainer(MountableFile.forHostPath(path), target);
  }

  /**
   * Returns the server's address.
   *
   * @return the endpoint of clients
   */
  public URI endpoint() {
    return URI.create("http://" + getHost() + ":" + getMappedPort(PORT));
  }

  /**
   * Makes a fork of the seed. The server has to keep access keys apart: not with {@code -sharedDb}.
   *
   * @return a fork that begins with what every access key begins with
   */
  public KugiriFork fork() {
    return admin().fork();
  }

  /**
   * Returns the admin API, whose token only this object knows.
   *
   * @return the admin API
   */
  public KugiriAdmin admin() {
    return new KugiriAdmin(endpoint(), token);
  }
}
