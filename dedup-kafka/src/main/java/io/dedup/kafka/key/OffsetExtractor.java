// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import io.dedup.kafka.topic.RecordPosition;
import io.dedup.kafka.topic.TopicIdentity;
import io.dedup.key.CompositeId;
import io.dedup.key.ExtractedId;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Takes the record's place in the log for the id: cluster, topic id, partition and offset. It knows
 * a record that is delivered again, but not a message that is sent again.
 */
enum OffsetExtractor implements Reading.Positioned, Cautioned {
  INSTANCE;

  @Override
  public Reading read(ConsumerRecord<?, ?> record, @Nullable RecordPosition position) {
    if (position == null) {
      return unreadable("the record's place in the log is not known");
    }
    TopicIdentity topic = position.topic();
    if (topic.clusterId() == null || topic.topicId() == null) {
      return unreadable(
          "the id of topic " + topic.topic() + " is not known, without it offsets are used again");
    }
    String id =
        CompositeId.join(
            List.of(
                topic.clusterId(),
                topic.topicId(),
                Integer.toString(position.partition()),
                Long.toString(position.offset())));
    return new Reading(new ExtractedId.Found(Ids.OFFSET + id), true);
  }

  private Reading unreadable(String why) {
    return new Reading(new ExtractedId.Unreadable(describe(), why), false);
  }

  @Override
  public boolean usesOffset() {
    return true;
  }

  @Override
  public String describe() {
    return "offset";
  }

  @Override
  public List<String> cautions() {
    return List.of(
        "offset: knows a record that is delivered again, not a message that its producer sends again");
  }
}
