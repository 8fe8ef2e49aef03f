// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map field of a Protobuf message, which reflection shows as a list of messages, each with a key
 * and a value.
 */
record ProtobufMap(ProtobufFields fields, List<?> entries) {

  /**
   * Returns the value under {@code key}, which is text, a number or a boolean, null if there is
   * none.
   */
  @Nullable Object get(String key) throws ReflectiveOperationException {
    for (Object entry : entries) {
      if (key.equals(String.valueOf(fields.raw(entry, "key")))) {
        return fields.raw(entry, "value");
      }
    }
    return null;
  }
}
