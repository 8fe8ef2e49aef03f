// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import io.dedup.key.CompositeId;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Takes source and id of a CloudEvent, which together are unique (CloudEvents 1.0, "id"), from the
 * headers in binary mode and from the JSON document in structured mode (Kafka Protocol Binding 1.0,
 * section 3). The id alone is unique only within its source.
 */
enum CloudEventsExtractor implements KeyExtractor<ConsumerRecord<?, ?>> {
  INSTANCE;

  private static final String STRUCTURED = "application/cloudevents";
  private static final String STRUCTURED_JSON = "application/cloudevents+json";

  @Override
  public ExtractedId extract(ConsumerRecord<?, ?> record) {
    String contentType = contentType(record);
    if (contentType == null || !contentType.startsWith(STRUCTURED)) {
      return join(part(record, "ce_source"), part(record, "ce_id"));
    }
    if (!contentType.equals(STRUCTURED_JSON)) {
      return new ExtractedId.Unreadable(
          describe(), "is in structured mode but not of type " + STRUCTURED_JSON);
    }
    if (record.value() == null) {
      return new ExtractedId.Missing(describe() + " (the record is a tombstone)");
    }
    try {
      return join(member(record, "source"), member(record, "id"));
    } catch (UnreadableRecordException e) {
      return new ExtractedId.Unreadable(e.where(), e.why());
    }
  }

  private static ExtractedId part(ConsumerRecord<?, ?> record, String header) {
    return new HeaderExtractor(header, HeaderType.TEXT, RepeatedHeader.LAST).extract(record);
  }

  private static ExtractedId member(ConsumerRecord<?, ?> record, String name) {
    String where = "json:/" + name;
    JsonValue value = Json.find(where, record.value(), new JsonPointer("/" + name, List.of(name)));
    return switch (value.kind()) {
      case TEXT, ABSENT, NULL -> value.id(where);
      default -> new ExtractedId.Unreadable(where, "is not text, as CloudEvents has it");
    };
  }

  private static ExtractedId join(ExtractedId source, ExtractedId id) {
    if (source instanceof ExtractedId.Found s && id instanceof ExtractedId.Found i) {
      return new ExtractedId.Found(CompositeId.join(List.of(s.id(), i.id())));
    }
    return source instanceof ExtractedId.Found ? id : source;
  }

  /** Without parameters, and in lower case, as media types are compared. */
  private static @Nullable String contentType(ConsumerRecord<?, ?> record) {
    return part(record, "content-type") instanceof ExtractedId.Found type
        ? type.id().split(";", 2)[0].strip().toLowerCase(Locale.ROOT)
        : null;
  }

  @Override
  public String describe() {
    return "cloudevents";
  }
}
