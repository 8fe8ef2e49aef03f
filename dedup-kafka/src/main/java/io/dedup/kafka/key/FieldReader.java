// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a class of values by name. Avro and Protobuf need not be on the class path:
 * their classes are known by the interfaces that the values themselves bring along.
 */
interface FieldReader {

  /** Looked up once for each class. */
  ClassValue<FieldReader> OF_CLASS =
      new ClassValue<>() {
        @Override
        protected FieldReader computeValue(Class<?> type) {
          return choose(type);
        }
      };

  /**
   * Returns the field, null if it is missing: the value, or its schema, has none of that name, or
   * it is not set.
   *
   * @throws ReflectiveOperationException if the value is not of the library that its class suggests
   */
  @Nullable Object get(Object value, String name) throws ReflectiveOperationException;

  /** Returns whether the value is one whose fields have names. */
  static boolean reads(Object value) {
    return OF_CLASS.get(value.getClass()) != NoFields.INSTANCE && !(value instanceof Map);
  }

  private static FieldReader choose(Class<?> type) {
    Class<?> avro = Interfaces.find(type, "org.apache.avro.generic.IndexedRecord");
    if (avro != null) {
      return AvroFields.of(avro);
    }
    Class<?> protobuf = Interfaces.find(type, "com.google.protobuf.MessageOrBuilder");
    if (protobuf != null) {
      return ProtobufFields.of(protobuf);
    }
    return Map.class.isAssignableFrom(type) ? MapEntries.INSTANCE : NoFields.INSTANCE;
  }
}
