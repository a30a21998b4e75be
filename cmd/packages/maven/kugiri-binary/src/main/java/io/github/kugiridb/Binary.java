package io.github.kugiridb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The server's binary: that of $KUGIRI_BINARY, or a copy of the one in a jar. */
final class Binary implements AutoCloseable {
  private final Path directory; // null if the binary is not a copy
  final Path path;

  Binary() throws IOException {
    String given = System.getenv("KUGIRI_BINARY");
    if (given != null && !given.isEmpty()) {
      directory = null;
      path = Path.of(given);
      if (!Files.isExecutable(path)) {
        throw new IOException("KUGIRI_BINARY names " + given + ", which is no program");
      }
      return;
    }
    String platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    String name = platform.startsWith("windows") ? "kugiri.exe" : "kugiri";
    try (InputStream content =
        Binary.class.getResourceAsStream("/META-INF/kugiri/" + platform + "/" + name)) {
      if (content == null) {
        throw new IOException(
            "the class path has no io.github.kugiri-db:kugiri-binary with the classifier "
                + platform
                + ": name a binary with KUGIRI_BINARY, or add that jar; \"mvn install\" in a clone"
                + " packs it with Go, or of the kugiri on the PATH");
      }
      directory = Files.createTempDirectory("kugiri");
      path = directory.resolve(name);
      Files.copy(content, path);
    }
    if (!path.toFile().setExecutable(true)) {
      throw new IOException(path + " cannot be made executable");
    }
  }

  /** Returns the classifier of the jar with the binary for a system. */
  static String platform(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String family = os.startsWith("mac") ? "osx" : os.startsWith("windows") ? "windows" : os;
    return family + "-" + (osArch.equals("amd64") ? "x86_64" : osArch);
  }

  /** Removes the copy. */
  @Override
  public void close() throws IOException {
    if (directory != null) {
      Files.deleteIfExists(path);
      Files.deleteIfExists(directory);
    }
  }
}
