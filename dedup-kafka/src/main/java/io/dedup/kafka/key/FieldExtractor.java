// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Takes the id from a field of an Avro record, a Protobuf message or a map, nested ones by the path
 * to them.
 */
record FieldExtractor(List<String> path) implements KeyExtractor<ConsumerRecord<?, ?>> {

  static FieldExtractor of(String dotted) {
    List<String> path = KeyText.split(dotted, '.');
    if (path.contains("")) {
      throw new IllegalArgumentException(
          "field: was '" + dotted + "', must be a field's name, or several with dots between them");
    }
    return new FieldExtractor(path);
  }

  @Override
  public ExtractedId extract(ConsumerRecord<?, ?> record) {
    String where = "field:" + String.join(".", path);
    Object value = record.value();
    if (value == null) {
      return new ExtractedId.Missing(where + " (the record is a tombstone)");
    }
    try {
      for (String name : path) {
        value = value == null ? null : step(value, name);
      }
      return Ids.value(where, value);
    } catch (UnreadableRecordException e) {
      return new ExtractedId.Unreadable(where, e.why());
    } catch (ReflectiveOperationException e) {
      return new ExtractedId.Unreadable(where, "cannot be read: " + e);
    }
  }

  private static @Nullable Object step(Object value, String name)
      throws ReflectiveOperationException {
    return value instanceof ProtobufMap map
        ? map.get(name)
        : FieldReader.OF_CLASS.get(value.getClass()).get(value, name);
  }

  @Override
  public String describe() {
    return "field:"
        + path.stream().map(name -> KeyText.escape(name, ".")).collect(Collectors.joining("."));
  }
}
