// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Copies of Java records that differ in one component, named as text. */
final class With {

  private With() {}

  static <T extends Record> T with(T record, String component, Object value) {
    return changed(record, component, (Object old) -> value);
  }

  @SuppressWarnings("unchecked")
  static <T extends Record, C> T changed(T record, String component, UnaryOperator<C> change) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    Object[] values = new Object[components.length];
    boolean known = false;
    try {
      for (int i = 0; i < components.length; i++) {
        Object old = components[i].getAccessor().invoke(record);
        boolean meant = components[i].getName().equals(component);
        known |= meant;
        values[i] = meant ? change.apply((C) old) : old;
      }
      if (!known) {
        throw new IllegalArgumentException(
            "component: was " + component + ", must be one of " + record);
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return (T) record.getClass().getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
