// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The headers by which a copy in a retry or dead-letter topic names its original.
 *
 * <p>Names and encodings are those of spring-kafka's {@code DeadLetterPublishingRecoverer}: text in
 * UTF-8, partition as four and offset and timestamp as eight big-endian bytes. A dead-letter
 * recoverer appends a set of them at each hop, a retry topic's writes its own set once; so in both
 * the first of a name is the original's.
 */
public final class OriginalHeaders {

  /** Written by the recoverer of retry topics. */
  static final OriginalHeaders RETRY = new OriginalHeaders("kafka_original-");

  /** Written by a dead-letter recoverer, and by us. */
  static final OriginalHeaders DEAD_LETTER = new OriginalHeaders("kafka_dlt-original-");

  /** Both recoverers write the group under this one name. */
  private static final String GROUP = "kafka_dlt-original-consumer-group";

  private final String topicName;
  private final String partitionName;
  private final String offsetName;
  private final String timestampName;
  private final String timestampTypeName;

  private OriginalHeaders(String prefix) {
    topicName = prefix + "topic";
    partitionName = prefix + "partition";
    offsetName = prefix + "offset";
    timestampName = prefix + "timestamp";
    timestampTypeName = prefix + "timestamp-type";
  }

  /**
   * Appends what names {@code record} to the headers of its dead letter.
   *
   * @param headers the dead letter's, which already hold those of the record
   * @param record the record that is copied
   * @param identity the topic it was read from
   * @param group the group that failed on it
   */
  public static void append(
      Headers headers, ConsumerRecord<?, ?> record, TopicIdentity identity, String group) {
    DEAD_LETTER.append(headers, record);
    headers.add(GROUP, group.getBytes(UTF_8));
    PositionHeader.append(headers, RecordPosition.of(record, identity));
  }

  private void append(Headers headers, ConsumerRecord<?, ?> record) {
    headers.add(topicName, record.topic().getBytes(UTF_8));
    headers.add(
        partitionName, ByteBuffer.allocate(Integer.BYTES).putInt(record.partition()).array());
    headers.add(offsetName, ByteBuffer.allocate(Long.BYTES).putLong(record.offset()).array());
    headers.add(timestampName, ByteBuffer.allocate(Long.BYTES).putLong(record.timestamp()).array());
    headers.add(timestampTypeName, record.timestampType().toString().getBytes(UTF_8));
  }

  /** Returns the original topic, null if there is no such header. */
  @Nullable String topic(Headers headers) {
    String topic = text(headers, topicName);
    if (topic == null) {
      return null;
    }
    try {
      return TopicNames.check(topicName, topic);
    } catch (IllegalArgumentException e) {
      throw new UnreadableRecordException("header:" + topicName, "is no topic's name");
    }
  }

  /** Returns the original partition, null if there is no such header. */
  @Nullable Integer partition(Headers headers) {
    ByteBuffer value = number(headers, partitionName, Integer.BYTES);
    return value == null ? null : value.getInt();
  }

  /** Returns the original offset, null if there is no such header. */
  @Nullable Long offset(Headers headers) {
    ByteBuffer value = number(headers, offsetName, Long.BYTES);
    return value == null ? null : value.getLong();
  }

  /** Returns the group that failed on the original, null if there is no such header. */
  static @Nullable String group(Headers headers) {
    String group = text(headers, GROUP);
    if (group != null && group.isEmpty()) {
      throw new UnreadableRecordException("header:" + GROUP, "is empty");
    }
    return group;
  }

  static @Nullable String text(Headers headers, String name) {
    byte[] value = first(headers, name);
    try {
      return value == null ? null : UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      throw new UnreadableRecordException("header:" + name, "is not UTF-8");
    }
  }

  private static @Nullable ByteBuffer number(Headers headers, String name, int bytes) {
    byte[] value = first(headers, name);
    if (value == null) {
      return null;
    }
    if (value.length != bytes) {
      throw new UnreadableRecordException(
          "header:" + name, "has " + value.length + " bytes, must have " + bytes);
    }
    return ByteBuffer.wrap(value);
  }

  private static byte @Nullable [] first(Headers headers, String name) {
    for (Header header : headers.headers(name)) {
      return header.value();
    }
    return null;
  }
}
