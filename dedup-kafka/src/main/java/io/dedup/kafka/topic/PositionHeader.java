// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The header of our own in a dead letter: it adds the topic's id and the leader epoch, which the
 * customary headers lack. Without them the copy of a record would pass for the record at the same
 * offset of a topic that was created anew.
 *
 * <p>The value is {@code topic/partition/offset/epoch/id}, with an empty id if it was unknown. A
 * topic's name has no slash. As dead letters of other recoverers have no such header, it counts for
 * the one position it names.
 */
final class PositionHeader {

  static final String NAME = "dedup_original-position";

  private PositionHeader() {}

  static void append(Headers headers, RecordPosition position) {
    String id = position.topic().topicId();
    String value = place(position) + position.leaderEpoch() + '/' + (id == null ? "" : id);
    headers.add(NAME, value.getBytes(UTF_8));
  }

  /** Returns {@code position} with what the header for it adds, or as it is if there is none. */
  static RecordPosition complete(RecordPosition position, Headers headers) {
    String place = place(position);
    for (Header header : headers.headers(NAME)) {
      String value = header.value() == null ? "" : new String(header.value(), UTF_8);
      if (value.startsWith(place)) {
        return complete(position, value.substring(place.length()));
      }
    }
    return position;
  }

  private static RecordPosition complete(RecordPosition position, String rest) {
    int slash = rest.indexOf('/');
    if (slash < 0) {
      throw unreadable();
    }
    String id = rest.substring(slash + 1);
    TopicIdentity now = position.topic();
    TopicIdentity then = id.isEmpty() ? now : new TopicIdentity(now.clusterId(), now.topic(), id);
    return new RecordPosition(
        then, position.partition(), position.offset(), epoch(rest.substring(0, slash)));
  }

  private static int epoch(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw unreadable();
    }
  }

  private static String place(RecordPosition position) {
    return position.topic().topic() + '/' + position.partition() + '/' + position.offset() + '/';
  }

  private static UnreadableRecordException unreadable() {
    return new UnreadableRecordException(
        "header:" + NAME, "is not of the form topic/partition/offset/epoch/id");
  }
}
