// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.Arrays;
import java.util.List;

/**
 * The fingerprints of record values, by which a message that reuses a key is told from one that is
 * repeated.
 */
public final class Fingerprints {

  private static final String FIELDS = "fields:";

  private Fingerprints() {}

  /** Takes none: whatever has the same key is the same message. */
  public static RecordFingerprint none() {
    return NoFingerprint.INSTANCE;
  }

  /**
   * Takes the bytes as they are; of a value that is text, its UTF-8. Objects have no bytes and are
   * unreadable.
   */
  public static RecordFingerprint raw() {
    return RawFingerprint.INSTANCE;
  }

  /**
   * Takes the JSON document: not spacing and the order of members, but the order of elements and
   * number lexemes.
   */
  public static RecordFingerprint json() {
    return JsonFingerprint.INSTANCE;
  }

  /**
   * Takes some values of the JSON document, each as a key would be. Their order does not matter;
   * one that is absent differs from every one that is there.
   *
   * @param pointers at least one, RFC 6901
   */
  public static RecordFingerprint fields(String... pointers) {
    return new FieldsFingerprint(
        Arrays.stream(pointers).distinct().sorted().map(JsonPointer::parse).toList());
  }

  /**
   * Returns the fingerprint that {@code text} describes: {@code none}, {@code raw}, {@code json},
   * or {@code fields:} and pointers with commas between them.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public static RecordFingerprint parse(String text) {
    if (text.startsWith(FIELDS)) {
      List<String> pointers =
          Arrays.stream(text.substring(FIELDS.length()).split(",")).map(String::strip).toList();
      return fields(pointers.toArray(String[]::new));
    }
    return switch (text) {
      case "none" -> none();
      case "raw" -> raw();
      case "json" -> json();
      default ->
          throw new IllegalArgumentException(
              "fingerprint: was '"
                  + text
                  + "', must be none, raw, json, or fields:/pointer with more pointers behind commas");
    };
  }
}
