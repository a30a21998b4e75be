package io.github.kugiridb.junit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON, for the admin API. Objects are maps, arrays are lists, numbers without a
 * fraction are longs and others doubles.
 */
final class Json {
  /** How deep arrays and objects may be in each other. */
  private static final int DEEPEST = 100;

  private final String text;
  private int at;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /** Reads one value. Anything else is an IllegalArgumentException. */
  static Object read(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.space();
    if (json.at < text.length()) {
      throw json.wrong();
    }
    return value;
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("no JSON, at character " + at);
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  /** Returns the next character that is not a space, or 0 at the end. */
  private char next() {
    space();
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean takes(char c) {
    if (next() != c) {
      return false;
    }
    at++;
    return true;
  }

  private void want(char c) {
    if (!takes(c)) {
      throw wrong();
    }
  }

  private Object value() {
    if (++depth > DEEPEST) {
      throw wrong();
    }
    Object value = inner();
    depth--;
    return value;
  }

  private Object inner() {
    switch (next()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", null);
      default:
        return number();
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong();
    }
    at += word.length();
    return value;
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    want('{');
    if (takes('}')) {
      return map;
    }
    do {
      if (next() != '"') {
        throw wrong();
      }
      String name = string();
      want(':');
      map.put(name, value());
    } while (takes(','));
    want('}');
    return map;
  }

  private List<Object> array() {
    List<Object> list = new ArrayList<>();
    want('[');
    if (takes(']')) {
      return list;
    }
    do {
      list.add(value());
    } while (takes(','));
    want(']');
    return list;
  }

  private Object number() {
    int from = at;
    while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(from, at);
    if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
      at = from;
      throw wrong();
    }
    return number.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(number) : Double.valueOf(number);
  }

  private String string() {
    StringBuilder b = new StringBuilder();
    for (at++; ; at++) {
      char c = at < text.length() ? text.charAt(at) : 0;
      if (c < ' ') {
        throw wrong();
      } else if (c == '"') {
        at++;
        return b.toString();
      } else if (c == '\\') {
        at++;
        b.append(escaped());
      } else {
        b.append(c);
      }
    }
  }

  /** Returns the character that is escaped, and stops at its last one. */
  private char escaped() {
    char c = at < text.length() ? text.charAt(at) : 0;
    int i = "\"\\/bfnrt".indexOf(c);
    if (i >= 0) {
      return "\"\\/\b\f\n\r\t".charAt(i);
    }
    if (c != 'u' || at + 4 >= text.length()) {
      throw wrong();
    }
    String digits = text.substring(at + 1, at + 5);
    if (!digits.matches("[0-9a-fA-F]{4}")) {
      throw wrong();
    }
    at += 4;
    return (char) Integer.parseInt(digits, 16);
  }

  /** Writes a value: maps, whose null values are left out, collections, strings, numbers. */
  static String write(Object value) {
    StringBuilder b = new StringBuilder();
    write(b, value);
    return b.toString();
  }

  private static void write(StringBuilder b, Object value) {
    String comma = "";
    if (value instanceof Map) {
      b.append('{');
      for (Map.Entry<?, ?> e : ((Map<?, ?>) value).entrySet()) {
        if (e.getValue() != null) {
          b.append(comma);
          quote(b, (String) e.getKey());
          write(b.append(':'), e.getValue());
          comma = ",";
        }
      }
      b.append('}');
    } else if (value instanceof Collection) {
      b.append('[');
      for (Object element : (Collection<?>) value) {
        write(b.append(comma), element);
        comma = ",";
      }
      b.append(']');
    } else if (value instanceof String) {
      quote(b, (String) value);
    } else {
      b.append(value);
    }
  }

  /** Writes a string. Half a pair of surrogates, which no UTF-8 has, becomes a question mark. */
  private static void quote(StringBuilder b, String text) {
    b.append('"');
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                b.append('\\').append((char) c);
              } else if (c < ' ') {
                b.append(String.format("\\u%04x", c));
              } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                b.append('?');
              } else {
                b.appendCodePoint(c);
              }
            });
    b.append('"');
  }
}
