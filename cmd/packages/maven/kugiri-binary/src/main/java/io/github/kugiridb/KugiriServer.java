package io.github.kugiridb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server at a free port of this machine. It ends with {@link #close}, and with this process,
 * whatever ends that. Several threads may use it.
 */
public final class KugiriServer implements AutoCloseable {
  private static final String LISTENING = "kugiri: listening at ";

  private final Binary binary;
  private final Process process;
  private final KugiriAdmin admin;
  private final Thread atExit = new Thread(this::end);

  private KugiriServer(Binary binary, Process process, URI endpoint) {
    this.binary = binary;
    this.process = process;
    this.admin = new KugiriAdmin(endpoint, "");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Starts a server, and waits until it listens.
   *
   * @param seeds files and directories with the tables and items that every access key begins with
   * @param flags more flags of {@code kugiri serve}, such as {@code --clock=held}
   * @return the server
   * @throws KugiriException if there is no binary for this machine, or the server does not start
   */
  public static synchronized KugiriServer start(List<Path> seeds, List<String> flags) {
    // One server starts at a time. Until it runs its program, a new process holds open what this
    // process has open, and Linux runs no file that is open for writing, such as another copy.
    try {
      Binary binary = new Binary();
      try {
        return start(binary, seeds, flags);
      } catch (IOException e) {
        binary.close();
        throw e;
      }
    } catch (IOException e) {
      throw new KugiriException("Kugiri does not start: " + e.getMessage(), e);
    }
  }

  private static KugiriServer start(Binary binary, List<Path> seeds, List<String> flags)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(binary.path.toString(), "serve"));
    command.addAll(List.of("--host=127.0.0.1", "--port=0", "--admin", "--exit-with-stdin"));
    seeds.forEach(seed -> command.add("--seed=" + seed));
    command.addAll(flags);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new KugiriServer(binary, process, listeningAddress(process));
  }

  /** Returns the address that a server prints when it listens. */
  private static URI listeningAddress(Process process) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder before = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(LISTENING)) {
        Thread rest = new Thread(() -> print(output), "kugiri-output");
        rest.setDaemon(true);
        rest.start();
        return URI.create(line.substring(LISTENING.length()));
      }
      before.append(line).append('\n');
    }
    throw new IOException(before.toString().trim());
  }

  private static void print(BufferedReader output) {
    try {
      output.lines().forEach(System.err::println);
    } catch (UncheckedIOException e) {
      return; // close has closed the pipe
    }
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
   * Makes a fork of the seed.
   *
   * @return a fork that begins with what every access key begins with
   */
  public KugiriFork fork() {
    return admin.fork();
  }

  /**
   * Returns the admin API, for what concerns the whole server.
   *
   * @return the admin API
   */
  public KugiriAdmin admin() {
    return admin;
  }

  /** Ends the server and throws its data away. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // this process ends, and the hook ends the server
    }
    end();
  }

  private void end() {
    process.destroyForcibly().onExit().join();
    try {
      binary.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the copy of the binary stays", e);
    }
  }
}
