// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads text and counts how many of its kind are open. Like those that find a type in a header, it
 * needs its header and removes it.
 */
public final class CountedDeserializer implements Deserializer<String> {

  static final String TYPE_HEADER = "type";
  static final AtomicInteger OPEN = new AtomicInteger();

  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    OPEN.incrementAndGet();
  }

  @Override
  public String deserialize(String topic, byte[] data) {
    throw new UnsupportedOperationException("needs the headers");
  }

  @Override
  public String deserialize(String topic, Headers headers, byte[] data) {
    if (headers.lastHeader(TYPE_HEADER) == null) {
      throw new IllegalArgumentException("no header tells the type");
    }
    headers.remove(TYPE_HEADER);
    return new String(data, UTF_8);
  }

  @Override
  public void close() {
    OPEN.decrementAndGet();
  }
}
