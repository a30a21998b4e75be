package tools;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads that do the same at the same time. */
record Pool(int size, ExecutorService threads) implements AutoCloseable {
  static Pool of(int size) {
    return new Pool(size, Executors.newFixedThreadPool(size));
  }

  void all(Callable<Void> work) throws Exception {
    for (var done : threads.invokeAll(Collections.nCopies(size, work))) {
      done.get();
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
