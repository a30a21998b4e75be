package io.github.kugiridb.junit;

import static java.util.stream.Collectors.toList;

import io.github.kugiridb.KugiriFork;
import io.github.kugiridb.KugiriServer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives tests a fork and clients of it as parameters: {@link KugiriFork}, the synchronous,
 * asynchronous, enhanced and streams clients of the AWS SDK for Java 2, AmazonDynamoDB of version 1,
 * and a {@link KugiriExplorer}.
 *
 * <p>Methods that run for each test, and constructors of an instance for each test, have the fork of
 * the test. Methods that run once for a class, such as {@code @BeforeAll}, have a fork of the class,
 * and the forks of its tests begin as copies of that. Forks and clients end with their test or
 * class. Tests with the same seeds and flags share a server, which ends with the run. Tests may run
 * in parallel.
 */
public final class Kugiri implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(Kugiri.class);

  /** JUnit makes the extension. */
  public Kugiri() {}

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    String type = parameter.getParameter().getType().getName();
    return type.equals(KugiriFork.class.getName())
        || type.equals(KugiriExplorer.class.getName())
        || Clients.supports(type);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    KugiriFork fork = fork(context);
    String type = parameter.getParameter().getType().getName();
    if (type.equals(KugiriFork.class.getName())) {
      return fork;
    }
    if (type.equals(KugiriExplorer.class.getName())) {
      return explorer(fork, context);
    }
    return once(
            context,
            "clients",
            Clients.class,
            () -> new Clients(fork.endpoint(), fork.accessKey()))
        .get(type);
  }

  /** Makes the explorer of a test, whose reports name the test and the command that runs it. */
  private static KugiriExplorer explorer(KugiriFork fork, ExtensionContext context) {
    String test =
        context.getTestClass().map(Class::getName).orElse("")
            + context.getTestMethod().map(method -> "#" + method.getName()).orElse("");
    return new KugiriExplorer(fork, context.getDisplayName(), "mvn test -Dtest='" + test + "'");
  }

  private static KugiriFork fork(ExtensionContext context) {
    return once(context, "fork", KugiriFork.class, () -> newFork(context));
  }

  /** Makes a fork of the nearest class that has one, or of the seed. */
  private static KugiriFork newFork(ExtensionContext context) {
    for (var outer = context.getParent(); outer.isPresent(); outer = outer.get().getParent()) {
      KugiriFork fork =
          outer.get().getStore(NAMESPACE).get(key(outer.get(), "fork"), KugiriFork.class);
      if (fork != null) {
        return fork.fork();
      }
    }
    return server(context).fork();
  }

  private static KugiriServer server(ExtensionContext context) {
    Optional<KugiriTest> settings = settings(context);
    List<Path> seeds =
        words(settings.map(KugiriTest::seed), context, "kugiri.seed").stream()
            .map(Path::of)
            .collect(toList());
    List<String> flags = words(settings.map(KugiriTest::flags), context, "kugiri.flags");
    String name = "server " + seeds + flags;
    return once(
        context.getRoot(), name, KugiriServer.class, () -> KugiriServer.start(seeds, flags));
  }

  /** Returns the annotation of the class of a test, or of the nearest class around it. */
  private static Optional<KugiriTest> settings(ExtensionContext context) {
    return context
        .getElement()
        .flatMap(element -> AnnotationSupport.findAnnotation(element, KugiriTest.class))
        .or(() -> context.getParent().flatMap(Kugiri::settings));
  }

  /** Returns the words of an annotation, or without one those of a configuration parameter. */
  private static List<String> words(
      Optional<String[]> annotated, ExtensionContext context, String parameter) {
    return annotated
        .filter(words -> words.length > 0)
        .or(() -> context.getConfigurationParameter(parameter).map(text -> text.trim().split("\\s+")))
        .map(Arrays::asList)
        .orElse(List.of());
  }

  /** Makes a value at its first use in a context. JUnit closes it when the context ends. */
  private static <T> T once(
      ExtensionContext context, String name, Class<T> type, Supplier<T> make) {
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(key(context, name), key -> make.get(), type);
  }

  /** Returns a key that has no value in the contexts around this one, where a store looks too. */
  private static String key(ExtensionContext context, String name) {
    return context.getUniqueId() + " " + name;
  }
}
