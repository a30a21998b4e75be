package io.github.kugiridb.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gives each test of a class a fork of a server: see {@link Kugiri}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(Kugiri.class)
public @interface KugiriTest {
  /**
   * Names the files and directories with the tables and items that each test begins with. Relative
   * paths are below the working directory, which is that of the module in Maven and Gradle.
   *
   * @return paths; without one the configuration parameter {@code kugiri.seed} applies
   */
  String[] seed() default {};

  /**
   * Adds flags of {@code kugiri serve}.
   *
   * @return flags; without one the configuration parameter {@code kugiri.flags} applies
   */
  String[] flags() default {};
}
