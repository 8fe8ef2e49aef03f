// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The places in a Kafka record that an id can be taken from.
 *
 * <p>An id that is text is that text, character by character: nothing is trimmed, folded or
 * normalised. What is no text is tagged, so that it never equals one: {@code number:1}, {@code
 * bytes:ff00}. Null and empty values are missing.
 */
public final class KeyExtractors {

  private KeyExtractors() {}

  /**
   * Takes the last header of that name. Bytes that are UTF-8 are text, others are taken byte by
   * byte ({@code bytes:} and hexadecimal digits). Text that one of Spring's header mappers put in
   * quotes, and noted as text in {@code spring_json_header_types}, is taken without them.
   *
   * @param name not empty
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> header(String name) {
    return HeaderExtractor.of(name);
  }

  /** Takes one header of that name, as {@link #header(String)} does. */
  public static KeyExtractor<ConsumerRecord<?, ?>> header(String name, RepeatedHeader repeated) {
    return new HeaderExtractor(name, null, repeated);
  }

  /** Takes the last header of that name and reads it as {@code type}. */
  public static KeyExtractor<ConsumerRecord<?, ?>> header(String name, HeaderType type) {
    return new HeaderExtractor(name, type, RepeatedHeader.LAST);
  }

  /** Takes one header of that name and reads it as {@code type}. */
  public static KeyExtractor<ConsumerRecord<?, ?>> header(
      String name, HeaderType type, RepeatedHeader repeated) {
    return new HeaderExtractor(name, type, repeated);
  }

  /**
   * Takes text or a number from a JSON document: a value of bytes or text, or what Jackson writes
   * of another object's properties. A number is its exact decimal value, so {@code 1}, {@code 1.0}
   * and {@code 1e0} are one id and {@code "1"} is another. The document must be well-formed as a
   * whole, and no member on the way may occur twice.
   *
   * @param pointer RFC 6901, such as {@code /invoice/number}
   * @throws IllegalArgumentException if the pointer is malformed
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> json(String pointer) {
    return new JsonExtractor(JsonPointer.parse(pointer));
  }

  /**
   * Takes the record's key: text, number, bytes or UUID. Only for topics whose keys name events,
   * not entities.
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> recordKey() {
    return RecordKeyExtractor.INSTANCE;
  }

  /** Takes source and id of a CloudEvent, in binary and in structured JSON mode alike. */
  public static KeyExtractor<ConsumerRecord<?, ?>> cloudEvents() {
    return CloudEventsExtractor.INSTANCE;
  }

  /**
   * Takes the record's place in the log: cluster, topic id, partition and offset, for a copy those
   * of its original. It knows a record that is delivered again, not a message that is sent again.
   * Its place comes from {@link RecordKeys}; on its own it finds every record unreadable.
   *
   * <p>Copies made by other recoverers than ours do not tell the id of their topic. After that was
   * created anew, such a copy passes for the record at its offset today: empty their topics first.
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> offset() {
    return OffsetExtractor.INSTANCE;
  }

  /** Takes the SHA-256 of the record's whole value. */
  public static KeyExtractor<ConsumerRecord<?, ?>> body(BodyForm form) {
    return new BodyExtractor(form);
  }

  /**
   * Takes a field of an Avro record, a Protobuf message or a map by its name.
   *
   * @param path the name, or the names from the outermost on with dots between them ({@code \.} for
   *     a dot in the key of a map)
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> field(String path) {
    return FieldExtractor.of(path);
  }

  /** Joins several ids to one; a record that lacks some of them is unreadable. */
  public static KeyExtractor<ConsumerRecord<?, ?>> joined(
      List<? extends KeyExtractor<? super ConsumerRecord<?, ?>>> parts) {
    return joined(parts, MissingPart.FAIL);
  }

  /**
   * Joins several ids to one. A record that lacks all of them has no id.
   *
   * @param parts at least two
   * @param missing what becomes of a record that lacks some
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> joined(
      List<? extends KeyExtractor<? super ConsumerRecord<?, ?>>> parts, MissingPart missing) {
    return new JoinedExtractor(List.copyOf(parts), missing);
  }

  /**
   * Takes the id from the first place that has one. An unreadable one ends the search.
   *
   * @param places at least two
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> firstOf(
      List<? extends KeyExtractor<? super ConsumerRecord<?, ?>>> places) {
    return new FirstOfExtractor(List.copyOf(places));
  }

  /** Takes an id of nothing but white space for a missing one. */
  public static KeyExtractor<ConsumerRecord<?, ?>> nonBlank(
      KeyExtractor<? super ConsumerRecord<?, ?>> extractor) {
    return new NonBlankExtractor(extractor);
  }

  /**
   * Returns the extractor that {@code text} describes, such as {@code header:event-id}, {@code
   * json:/order/id+json:/line} or {@code header:event-id|offset}. What {@link
   * KeyExtractor#describe()} returns of extractors from here is such text.
   *
   * @throws IllegalArgumentException naming what is wrong and what is allowed
   */
  public static KeyExtractor<ConsumerRecord<?, ?>> parse(String text) {
    return KeyExpression.parse(text);
  }

  /**
   * Returns what an operator should know of the choice, to be logged at start: a sentence each,
   * mostly none.
   */
  public static List<String> cautions(KeyExtractor<?> extractor) {
    return extractor instanceof Cautioned cautioned ? cautioned.cautions() : List.of();
  }

  /** Returns whether ids may be made of places in the log, which needs topics whose id is known. */
  public static boolean usesOffset(KeyExtractor<?> extractor) {
    return Reading.usesOffset(extractor);
  }

  /**
   * Returns the id of a value that an extractor of the caller's own has found: text as it is,
   * numbers by their exact value, bytes, UUIDs, enum constants and times of {@code java.time}; null
   * and empty text are missing, anything else unreadable.
   *
   * @param where the place it was found at, for people
   */
  public static ExtractedId id(String where, @Nullable Object value) {
    return Ids.value(where, value);
  }
}
