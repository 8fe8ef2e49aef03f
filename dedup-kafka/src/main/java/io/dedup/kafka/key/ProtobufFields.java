// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads Protobuf messages through their descriptors.
 *
 * <p>A field without presence that has its default value (0, "") may as well not be set; it counts
 * as missing, or all messages without an id would share one.
 */
final class ProtobufFields implements FieldReader {

  private static final Set<String> UNSIGNED = Set.of("UINT32", "FIXED32", "UINT64", "FIXED64");

  private final Method descriptor;
  private final Method findField;
  private final Method hasField;
  private final Method getField;
  private final Method hasPresence;
  private final Method isRepeated;
  private final Method isMap;
  private final Method defaultValue;
  private final Method type;

  private ProtobufFields(Class<?> message) throws ReflectiveOperationException {
    descriptor = message.getMethod("getDescriptorForType");
    findField = descriptor.getReturnType().getMethod("findFieldByName", String.class);
    Class<?> field = findField.getReturnType();
    hasField = message.getMethod("hasField", field);
    getField = message.getMethod("getField", field);
    hasPresence = field.getMethod("hasPresence");
    isRepeated = field.getMethod("isRepeated");
    isMap = field.getMethod("isMapField");
    defaultValue = field.getMethod("getDefaultValue");
    type = field.getMethod("getType");
  }

  static FieldReader of(Class<?> message) {
    try {
      return new ProtobufFields(message);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this version of Protobuf is not known", e);
    }
  }

  @Override
  public @Nullable Object get(Object value, String name) throws ReflectiveOperationException {
    Object field = field(value, name);
    if (field == null) {
      return null;
    }
    if (is(isMap, field)) {
      return new ProtobufMap(this, (List<?>) getField.invoke(value, field));
    }
    if (is(isRepeated, field)) {
      return getField.invoke(value, field);
    }
    if (is(hasPresence, field)) {
      return Boolean.TRUE.equals(hasField.invoke(value, field)) ? raw(value, field) : null;
    }
    Object found = getField.invoke(value, field);
    return found.equals(defaultValue.invoke(field)) ? null : raw(value, field);
  }

  /** Returns the field whether it is set or not. */
  @Nullable Object raw(Object value, String name) throws ReflectiveOperationException {
    Object field = field(value, name);
    return field == null ? null : raw(value, field);
  }

  private @Nullable Object field(Object value, String name) throws ReflectiveOperationException {
    return findField.invoke(descriptor.invoke(value), name);
  }

  private Object raw(Object value, Object field) throws ReflectiveOperationException {
    Object found = getField.invoke(value, field);
    Class<?> enumValue =
        Interfaces.find(found.getClass(), "com.google.protobuf.Descriptors$EnumValueDescriptor");
    if (enumValue != null) {
      return enumValue.getMethod("getName").invoke(found);
    }
    Class<?> bytes = Interfaces.find(found.getClass(), "com.google.protobuf.ByteString");
    if (bytes != null) {
      return bytes.getMethod("toByteArray").invoke(found);
    }
    return UNSIGNED.contains(String.valueOf(type.invoke(field))) ? unsigned(found) : found;
  }

  /** Java has no unsigned numbers, so Protobuf gives the large ones as negative. */
  private static Object unsigned(Object number) {
    if (number instanceof Integer i) {
      return Integer.toUnsignedLong(i);
    }
    return new java.math.BigInteger(Long.toUnsignedString((Long) number));
  }

  private static boolean is(Method question, Object field) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(question.invoke(field));
  }
}
