import static org.junit.jupiter.api.Assertions.*;

import io.github.kugiridb.KugiriException;
import io.github.kugiridb.KugiriFork;
import io.github.kugiridb.KugiriServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class KugiriServerTest {
  @Test
  void removesForks() {
    try (KugiriServer server = KugiriServer.start(List.of(Path.of("testdata")), List.of())) {
      String key;
      try (KugiriFork fork = server.fork();
          KugiriFork copy = fork.fork()) {
        key = fork.accessKey();
        assertNotEquals(key, copy.accessKey());
        assertTrue(server.admin().request("GET", "", "").contains(key));
      }
      assertFalse(server.admin().request("GET", "", "").contains(key));
    }
  }

  @Test
  void saysWhyItDoesNotStart() {
    List<Path> seeds = List.of(Path.of("no-such-file"));
    KugiriException refused =
        assertThrows(KugiriException.class, () -> KugiriServer.start(seeds, List.of()));
    assertTrue(refused.getMessage().contains("no-such-file"), refused.getMessage());
  }

  @Test
  void endsServer() {
    KugiriServer server = KugiriServer.start(List.of(), List.of());
    KugiriFork fork = server.fork();
    server.close();
    assertThrows(KugiriException.class, fork::close);
  }
}
