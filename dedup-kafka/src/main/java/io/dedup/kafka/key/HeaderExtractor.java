// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.Arrays;
import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Takes the id from a header of the record itself, never from a framework's map of headers, which
 * keeps one of several.
 *
 * @param name the header's name; not empty
 * @param type how the bytes are read; null for text where they are UTF-8, and byte by byte
 *     elsewhere
 * @param repeated which of several counts
 */
record HeaderExtractor(String name, @Nullable HeaderType type, RepeatedHeader repeated)
    implements KeyExtractor<ConsumerRecord<?, ?>> {

  HeaderExtractor {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "header name: was empty, must have at least one character");
    }
  }

  static HeaderExtractor of(String name) {
    return new HeaderExtractor(name, null, RepeatedHeader.LAST);
  }

  @Override
  public ExtractedId extract(ConsumerRecord<?, ?> record) {
    Headers headers = record.headers();
    String where = "header:" + name;
    if (repeated == RepeatedHeader.FAIL && differ(headers)) {
      return new ExtractedId.Unreadable(where, "occurs with different values, must be unambiguous");
    }
    byte[] value = pick(headers);
    if (value == null || value.length == 0) {
      return new ExtractedId.Missing(where);
    }
    String mappedType = SpringHeaders.type(headers, name);
    HeaderValue reading =
        new HeaderValue(where, SpringHeaders.unquote(value, mappedType), mappedType != null);
    return type == null ? reading.untyped() : reading.as(type);
  }

  private byte @Nullable [] pick(Headers headers) {
    Header last = null;
    for (Header header : headers.headers(name)) {
      if (repeated == RepeatedHeader.FIRST) {
        return header.value();
      }
      last = header;
    }
    return last == null ? null : last.value();
  }

  private boolean differ(Headers headers) {
    Header first = null;
    for (Header header : headers.headers(name)) {
      if (first != null && !Arrays.equals(first.value(), header.value())) {
        return true;
      }
      first = header;
    }
    return false;
  }

  @Override
  public String describe() {
    StringBuilder text = new StringBuilder("header:").append(KeyText.escape(name, ":"));
    if (type != null) {
      text.append(':').append(type.name().toLowerCase(Locale.ROOT));
    }
    if (repeated != RepeatedHeader.LAST) {
      text.append(':').append(repeated.name().toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
