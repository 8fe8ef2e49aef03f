// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.UnreadableRecordException;
import io.dedup.key.ExtractedId;
import io.dedup.key.KeyExtractor;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes a digest (SHA-256) of the record's value for the id. */
record BodyExtractor(BodyForm form) implements KeyExtractor<ConsumerRecord<?, ?>>, Cautioned {

  @Override
  public ExtractedId extract(ConsumerRecord<?, ?> record) {
    Object value = record.value();
    if (value == null) {
      return new ExtractedId.Missing(describe() + " (the record is a tombstone)");
    }
    try {
      byte[] bytes =
          form == BodyForm.RAW
              ? Payloads.raw(describe(), value)
              : Json.canonical(describe(), value);
      return bytes.length == 0
          ? new ExtractedId.Missing(describe())
          : new ExtractedId.Found(Ids.SHA_256 + HexFormat.of().formatHex(sha256(bytes)));
    } catch (UnreadableRecordException e) {
      return new ExtractedId.Unreadable(e.where(), e.why());
    }
  }

  @Override
  public String describe() {
    return "body:" + form.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public List<String> cautions() {
    return form == BodyForm.JSON
        ? List.of()
        : List.of(
            "body:raw: Protobuf, Avro files and values with a schema id in front may have other bytes each time they"
                + " are encoded; then no duplicate is ever found. Take field:NAME for them");
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
