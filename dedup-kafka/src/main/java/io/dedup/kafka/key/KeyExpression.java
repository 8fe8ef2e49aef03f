// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.KeyExtractor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the textual form of keys.
 *
 * <pre>
 * key    = joined *( "|" joined )                        the first that is present
 * joined = part *( "+" part ) [ "+or-missing" / "+or-absent" ]
 * part   = "nonblank:" part / "(" key ")" / source
 * source = "header:" NAME [ ":" type ] [ ":" repeated ] / "json:" POINTER / "key" / "cloudevents"
 *        / "offset" / "body:raw" / "body:json" / "field:" PATH
 * </pre>
 *
 * <p>A backslash before {@code | + ( )}, before {@code :} in a header's name, and before {@code .}
 * in a path takes their meaning away; space around operators does not count.
 */
final class KeyExpression {

  static final String OR_MISSING = "or-missing";
  static final String OR_ABSENT = "or-absent";
  static final String NON_BLANK = "nonblank:";

  private static final String SOURCES =
      "header:NAME[:text|:long|:int|:uuid][:first|:fail], json:/pointer, key, cloudevents, offset, body:raw,"
          + " body:json or field:NAME, several joined by +, or the first present of several with | between them";

  private final String text;
  private int at;

  private KeyExpression(String text) {
    this.text = text;
  }

  static KeyExtractor<ConsumerRecord<?, ?>> parse(String text) {
    KeyExpression expression = new KeyExpression(text);
    if (text.strip().startsWith("spel:")) {
      // Before anything else is read: its language has + and | too.
      throw expression.refused("'spel:' needs Spring: SpringKeys.parse reads it, and stands alone");
    }
    KeyExtractor<ConsumerRecord<?, ?>> key = expression.firstOf();
    if (expression.at < text.length()) {
      throw expression.refused("has a ')' without its '('");
    }
    return key;
  }

  private KeyExtractor<ConsumerRecord<?, ?>> firstOf() {
    List<KeyExtractor<ConsumerRecord<?, ?>>> places = new ArrayList<>();
    do {
      places.add(joined());
    } while (take('|'));
    return places.size() == 1 ? places.get(0) : KeyExtractors.firstOf(places);
  }

  private KeyExtractor<ConsumerRecord<?, ?>> joined() {
    List<KeyExtractor<ConsumerRecord<?, ?>>> parts = new ArrayList<>();
    MissingPart missing = MissingPart.FAIL;
    do {
      if (take(OR_MISSING)) {
        missing = MissingPart.MISSING;
        break;
      } else if (take(OR_ABSENT)) {
        missing = MissingPart.ABSENT;
        break;
      }
      parts.add(part());
    } while (take('+'));
    if (parts.size() == 1 && missing == MissingPart.FAIL) {
      return parts.get(0);
    }
    if (parts.size() < 2) {
      throw refused(
          "has '" + OR_MISSING + "' or '" + OR_ABSENT + "' with fewer than two parts before it");
    }
    return KeyExtractors.joined(parts, missing);
  }

  private KeyExtractor<ConsumerRecord<?, ?>> part() {
    if (take(NON_BLANK)) {
      return KeyExtractors.nonBlank(part());
    }
    if (take('(')) {
      KeyExtractor<ConsumerRecord<?, ?>> inner = firstOf();
      if (!take(')')) {
        throw refused("has a '(' without its ')'");
      }
      return inner;
    }
    int start = at;
    while (at < text.length() && "|+()".indexOf(text.charAt(at)) < 0) {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at = Math.min(at, text.length());
    return source(text.substring(start, at).strip());
  }

  private KeyExtractor<ConsumerRecord<?, ?>> source(String source) {
    int colon = source.indexOf(':');
    String rest = source.substring(colon + 1);
    try {
      return switch (colon < 0 ? source : source.substring(0, colon + 1)) {
        case "key" -> KeyExtractors.recordKey();
        case "cloudevents" -> KeyExtractors.cloudEvents();
        case "offset" -> KeyExtractors.offset();
        case "header:" -> header(rest);
        case "json:" -> KeyExtractors.json(KeyText.unescape(rest));
        case "field:" -> KeyExtractors.field(rest);
        case "body:" -> KeyExtractors.body(choice(BodyForm.class, rest));
        case "spel:" ->
            throw new IllegalArgumentException(
                "'spel:' needs Spring: SpringKeys.parse reads it, and stands alone");
        default -> throw new IllegalArgumentException("'" + source + "' is no source of keys");
      };
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private KeyExtractor<ConsumerRecord<?, ?>> header(String rest) {
    List<String> words = KeyText.split(rest, ':');
    HeaderExtractor header = HeaderExtractor.of(words.get(0));
    for (String word : words.subList(1, words.size())) {
      if (isOneOf(HeaderType.class, word) && header.type() == null) {
        header =
            new HeaderExtractor(header.name(), choice(HeaderType.class, word), header.repeated());
      } else if (isOneOf(RepeatedHeader.class, word)) {
        header =
            new HeaderExtractor(header.name(), header.type(), choice(RepeatedHeader.class, word));
      } else {
        throw new IllegalArgumentException(
            "'"
                + word
                + "' behind a header's name must be text, long, int or uuid, or last, first or fail"
                + " (a ':' in the name itself is written '\\:')");
      }
    }
    return header;
  }

  private static <E extends Enum<E>> boolean isOneOf(Class<E> type, String word) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(word)) {
        return true;
      }
    }
    return false;
  }

  private static <E extends Enum<E>> E choice(Class<E> type, String word) {
    if (!isOneOf(type, word)) {
      throw new IllegalArgumentException("'" + word + "' is not known there");
    }
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
  }

  private boolean take(char operator) {
    return take(String.valueOf(operator));
  }

  /** Goes past the word, and the space before it, if it comes next. */
  private boolean take(String word) {
    int start = at;
    while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    if (!text.startsWith(word, start)) {
      return false;
    }
    at = start + word.length();
    return true;
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("key: was '" + text + "', " + why + "; must be " + SOURCES);
  }
}
