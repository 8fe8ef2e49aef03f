// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a map whose keys are text. Avro's are of a class of its own, which never equals a String.
 */
enum MapEntries implements FieldReader {
  INSTANCE;

  @Override
  public @Nullable Object get(Object value, String name) {
    for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
      if (entry.getKey() instanceof CharSequence key && name.contentEquals(key)) {
        return entry.getValue();
      }
    }
    return null;
  }
}
