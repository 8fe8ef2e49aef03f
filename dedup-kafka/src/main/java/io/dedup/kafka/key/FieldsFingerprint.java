// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import io.dedup.key.CompositeId;
import io.dedup.key.ExtractedId;
import io.dedup.key.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes the fingerprint of some values of a JSON document; which ones is part of it. */
record FieldsFingerprint(List<JsonPointer> pointers) implements RecordFingerprint {

  FieldsFingerprint {
    if (pointers.isEmpty()) {
      throw new IllegalArgumentException(
          "fields: was given no pointer, must be given at least one");
    }
  }

  @Override
  public Fingerprint of(ConsumerRecord<?, ?> record) {
    Object value = record.value();
    if (value == null) {
      return RawFingerprint.tombstone(Fingerprint.FIELDS);
    }
    List<String> parts = new ArrayList<>();
    for (JsonPointer pointer : pointers) {
      String where = "fingerprint field " + pointer.text();
      parts.add(pointer.text());
      parts.add(part(where, Json.find(where, value, pointer)));
    }
    return Fingerprint.sha256(
        Fingerprint.FIELDS, CompositeId.join(parts).getBytes(StandardCharsets.UTF_8));
  }

  /** Unlike an id, a field may well be a boolean or an empty text. */
  private static String part(String where, JsonValue value) {
    return switch (value.kind()) {
      case ABSENT, NULL -> "";
      case BOOLEAN -> "boolean:" + value.text();
      case TEXT -> "text:" + well(where, value.text());
      default ->
          value
              .id(where)
              .fold(
                  ExtractedId.Found::id,
                  missing -> "",
                  unreadable -> {
                    throw new UnreadableRecordException(unreadable.where(), unreadable.why());
                  });
    };
  }

  private static String well(String where, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new UnreadableRecordException(
          where, "has an unpaired surrogate, must be well-formed Unicode");
    }
    return text;
  }

  @Override
  public String describe() {
    return "fields:" + pointers.stream().map(JsonPointer::text).collect(Collectors.joining(","));
  }
}
