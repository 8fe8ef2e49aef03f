// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Identities read through an {@code AdminClient} and remembered. Thread-safe. */
final class AdminTopicIdentities implements TopicIdentities {

  private final AdminReads reads;
  private final Map<String, TopicIdentity> known = new ConcurrentHashMap<>();
  private volatile @Nullable String cluster;

  AdminTopicIdentities(AdminReads reads) {
    this.reads = reads;
  }

  @Override
  public TopicIdentity of(String topic) {
    if (!known.containsKey(topic)) {
      try {
        remember(read(List.of(topic)));
      } catch (TopicReadException e) {
        if (!AdminReads.isMissing(e)) {
          throw e;
        }
      }
    }
    // A topic that does not exist is not remembered: it may be created yet.
    return known.getOrDefault(topic, new TopicIdentity(cluster, topic, null));
  }

  @Override
  public Set<String> refresh(Collection<String> topics) {
    return topics.isEmpty() ? Set.of() : remember(reads.untilKnown(() -> read(topics)));
  }

  /** Returns the topics that are others than before. */
  private Set<String> remember(Map<String, TopicIdentity> read) {
    Set<String> changed = new TreeSet<>();
    read.forEach(
        (topic, now) -> {
          TopicIdentity before = known.put(topic, now);
          if (before != null && !before.equals(now)) {
            changed.add(topic);
          }
        });
    return changed;
  }

  private Map<String, TopicIdentity> read(Collection<String> topics) {
    cluster = clusterId();
    var options = new DescribeTopicsOptions().timeoutMs(reads.timeoutMs());
    Map<String, TopicIdentity> read = new HashMap<>();
    reads
        .admin()
        .describeTopics(topics, options)
        .topicNameValues()
        .forEach(
            (topic, answer) -> {
              TopicDescription described =
                  reads.get(answer, "topic " + topic + ": its id", "DESCRIBE on the topic");
              read.put(topic, new TopicIdentity(cluster, topic, idOf(described)));
            });
    return read;
  }

  private @Nullable String clusterId() {
    var options = new DescribeClusterOptions().timeoutMs(reads.timeoutMs());
    return reads.get(
        reads.admin().describeCluster(options).clusterId(),
        "the cluster's id",
        "DESCRIBE on the cluster");
  }

  /** A broker from before topic ids answers with zero. */
  private static @Nullable String idOf(TopicDescription topic) {
    Uuid id = topic.topicId();
    return id == null || id.equals(Uuid.ZERO_UUID) ? null : id.toString();
  }
}
