// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import io.dedup.kafka.key.KeyExtractors;
import io.dedup.key.ExtractedId;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** The headers of a record by their names, each with the one reading that keys have of it. */
final class HeaderTexts extends AbstractMap<String, String> {

  private final ConsumerRecord<?, ?> record;

  HeaderTexts(ConsumerRecord<?, ?> record) {
    this.record = record;
  }

  @Override
  public @Nullable String get(@Nullable Object name) {
    return name instanceof String text && !text.isEmpty() ? read(text) : null;
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return get(name) != null;
  }

  private @Nullable String read(String name) {
    return KeyExtractors.header(name).extract(record) instanceof ExtractedId.Found found
        ? found.id()
        : null;
  }

  @Override
  public Set<Entry<String, String>> entrySet() {
    Map<String, String> all = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      String text = header.key().isEmpty() ? null : read(header.key());
      if (text != null) {
        all.put(header.key(), text);
      }
    }
    return Set.copyOf(all.entrySet());
  }
}
