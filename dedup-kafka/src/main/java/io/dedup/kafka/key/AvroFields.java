// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Reads Avro's generic and specific records, found by their common interface. */
final class AvroFields implements FieldReader {

  private final Method schema;
  private final Method field;
  private final Method position;
  private final Method get;

  private AvroFields(Class<?> indexedRecord) throws ReflectiveOperationException {
    schema = indexedRecord.getMethod("getSchema");
    field = schema.getReturnType().getMethod("getField", String.class);
    position = field.getReturnType().getMethod("pos");
    get = indexedRecord.getMethod("get", int.class);
  }

  static FieldReader of(Class<?> indexedRecord) {
    try {
      return new AvroFields(indexedRecord);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this version of Avro is not known", e);
    }
  }

  @Override
  public @Nullable Object get(Object value, String name) throws ReflectiveOperationException {
    Object described = field.invoke(schema.invoke(value), name);
    return described == null ? null : plain(get.invoke(value, position.invoke(described)));
  }

  /**
   * Avro has classes of its own for symbols of enums and for fixed bytes, which tell their contents
   * in one way.
   */
  private static @Nullable Object plain(@Nullable Object value)
      throws ReflectiveOperationException {
    if (value == null) {
      return null;
    }
    if (Interfaces.find(value.getClass(), "org.apache.avro.generic.GenericEnumSymbol") != null) {
      return value.toString();
    }
    Class<?> fixed = Interfaces.find(value.getClass(), "org.apache.avro.generic.GenericFixed");
    return fixed == null ? value : fixed.getMethod("bytes").invoke(value);
  }
}
