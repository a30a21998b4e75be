package io.github.kugiridb.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reports of explorations are read with (RFC 8259). */
class JsonTest {
  @Test
  void readsValues() {
    var nothing = new HashMap<String, Object>();
    nothing.put("a", null);
    assertEquals(nothing, Json.read(" {\"a\" : null } "));
    assertEquals(
        Arrays.asList(1L, -2.5, 100.0, 1e20, true, false, "", List.of(), Map.of()),
        Json.read("[1, -2.5, 1e2, 100000000000000000000, true, false, \"\", [ ], { }]"));
    assertEquals("\"\\/\b\f\n\r\té😀", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\""));
    assertEquals(Map.of("a", List.of(Map.of("b", 1L))), Json.read("{\"a\":[{\"b\":1}]}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "{", "[1,", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "tru", "nul", "01", "1.", ".5", "-", "+1",
        "1e", "NaN", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "1 2", "[1]]", "'a'"
      })
  void refuses(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.read(text));
  }

  @Test
  void refusesDepth() {
    assertEquals(List.of(), deepest(Json.read("[".repeat(100) + "]".repeat(100))));
    assertThrows(IllegalArgumentException.class, () -> Json.read("[".repeat(100_000)));
  }

  private static Object deepest(Object value) {
    return ((List<?>) value).isEmpty() ? value : deepest(((List<?>) value).get(0));
  }

  @Test
  void writesValues() {
    var some = new HashMap<String, Object>();
    some.put("a", null);
    some.put("b", List.of(1, "x\"\\\n\u0001é😀", true));
    assertEquals("{\"b\":[1,\"x\\\"\\\\\\u000a\\u0001é😀\",true]}", Json.write(some));
    assertEquals("\"?\"", Json.write("\ud83d"), "half a pair of surrogates");
  }

  /** What is written is read again, whatever its characters are; what is broken is refused. */
  @Test
  void readsWhatItWrites() {
    var random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      var text = new StringBuilder();
      for (int n = random.nextInt(20); n > 0; n--) {
        int c = random.nextInt(random.nextBoolean() ? 128 : 0xd800);
        text.append((char) c);
      }
      var value = List.of(text.toString(), Map.of(text.toString(), (long) i));
      String written = Json.write(value);
      assertEquals(value, Json.read(written));
      String broken = written.substring(0, random.nextInt(written.length()));
      assertThrows(IllegalArgumentException.class, () -> Json.read(broken));
    }
    assertTrue(Json.read("0").equals(0L));
  }
}
