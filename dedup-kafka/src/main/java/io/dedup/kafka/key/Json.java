// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The one place where payloads are read as JSON.
 *
 * <p>Bytes and text are parsed as they are; other objects are read as the JSON that Jackson makes
 * of their properties. A document is always read to its end: if it were left once the value is
 * found, a second member of the same name behind it, which the handler's parser may prefer, would
 * go unseen.
 */
final class Json {

  static final int DEPTH_MAX = 500;

  /**
   * Limits for what is cheap to send and dear to read. Texts and names have none of their own: a
   * record is in memory already, and no value is larger than its record.
   */
  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(DEPTH_MAX)
          .maxNumberLength(Decimals.DIGITS_MAX)
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(Integer.MAX_VALUE)
          .build();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(LIMITS).build())
          .addModule(new JacksonTwoNodes())
          .build();

  private Json() {}

  /** Reads the value at {@code pointer} in {@code payload}. */
  static JsonValue find(String where, Object payload, JsonPointer pointer) {
    return read(where, payload, parser -> JsonLookup.find(parser, pointer));
  }

  /** Returns the canonical form of {@code payload}. */
  static byte[] canonical(String where, Object payload) {
    return read(where, payload, CanonicalJson::of).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Runs {@code reading} on the whole document.
   *
   * @throws UnreadableRecordException if the payload is not one well-formed document, or {@code
   *     reading} refused it
   */
  private static <T> T read(String where, Object payload, Reading<T> reading) {
    try (JsonParser parser = open(where, payload)) {
      if (parser.nextToken() == null) {
        throw new UnreadableRecordException(where, "the document is empty, must be JSON");
      }
      T result = reading.of(parser);
      if (parser.nextToken() != null) {
        throw new UnreadableRecordException(
            where, "there is more behind the end of the document at " + place(parser));
      }
      return result;
    } catch (RefusedJson e) {
      throw new UnreadableRecordException(where, e.why());
    } catch (StreamConstraintsException e) {
      throw new UnreadableRecordException(
          where,
          "the document is nested more than "
              + DEPTH_MAX
              + " deep or has a number longer than "
              + Decimals.DIGITS_MAX);
    } catch (JacksonException e) {
      // Jackson's own message quotes the document, which is not for logs.
      throw new UnreadableRecordException(where, "the document is not well-formed JSON" + place(e));
    }
  }

  private static JsonParser open(String where, Object payload) {
    byte[] bytes = Ids.bytesOf(payload);
    if (bytes != null) {
      return MAPPER.createParser(bytes);
    }
    return payload instanceof String text
        ? MAPPER.createParser(text)
        : MAPPER.createParser(properties(where, payload));
  }

  private static byte[] properties(String where, Object payload) {
    if (FieldReader.reads(payload)) {
      throw new UnreadableRecordException(
          where,
          "the value is a "
              + payload.getClass().getName()
              + ", use field:NAME for Avro and Protobuf");
    }
    try {
      return MAPPER.writeValueAsBytes(payload);
    } catch (JacksonException e) {
      throw new UnreadableRecordException(
          where, "the value is a " + payload.getClass().getName() + " that Jackson cannot write");
    }
  }

  private static String place(JsonParser parser) {
    var place = parser.currentTokenLocation();
    return "line " + place.getLineNr() + ", column " + place.getColumnNr();
  }

  private static String place(JacksonException e) {
    return e.getLocation() == null
        ? ""
        : " at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
  }

  /** What is done with a parser that stands on the first token of a document. */
  private interface Reading<T> {
    T of(JsonParser parser);
  }
}
