// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/**
 * The names under which the components of a record are configured, nested ones included. Knows them
 * however they are written: {@code on-missing-key}, {@code onMissingKey}, {@code ON_MISSING_KEY}.
 */
final class PropertyNames {

  /** By how they read without dashes, in lower case, without positions in lists. */
  private final Map<String, String> names = new LinkedHashMap<>();

  /** Those of maps, whose keys are the user's; by how they read. */
  private final Map<String, String> maps = new LinkedHashMap<>();

  private PropertyNames(Class<?> record) {
    add("", record);
  }

  static PropertyNames of(Class<? extends Record> record) {
    return new PropertyNames(record);
  }

  private void add(String prefix, Class<?> record) {
    for (RecordComponent component : record.getRecordComponents()) {
      String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
      if (component.getType().isRecord()) {
        add(name + ".", component.getType());
      } else {
        names.put(uniform(name), name);
        if (component.getType() == Map.class) {
          maps.put(uniform(name) + ".", name);
        }
      }
    }
  }

  /** Returns the name as we write it, empty if there is none such. */
  Optional<String> find(String written) {
    String uniform = uniform(written);
    return Optional.ofNullable(names.get(uniform))
        .or(
            () ->
                maps.entrySet().stream()
                    .filter(map -> uniform.startsWith(map.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst());
  }

  Collection<String> all() {
    return names.values();
  }

  /** Returns the name that somebody probably meant, empty if none is near. */
  Optional<String> nearest(String written) {
    return NearestName.of(written, names.values());
  }

  private static String uniform(String name) {
    return name.replaceAll("\\[\\d+]", "").replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
  }
}
