// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;

/** Stands for the classes whose fields cannot be read by name. */
enum NoFields implements FieldReader {
  INSTANCE;

  @Override
  public Object get(Object value, String name) {
    throw new UnreadableRecordException(
        "field:" + name,
        "is looked for in a "
            + value.getClass().getName()
            + ", must be in an Avro record, a Protobuf message or a map");
  }
}
