// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;

/** The identities of topics, read once and read again when asked to. Thread-safe. */
public interface TopicIdentities {

  /**
   * Returns the identity of {@code topic}, reading it if this is the first time it is asked for. A
   * topic that does not exist has its name alone.
   *
   * @throws TopicReadException if it had to be read and could not be
   */
  TopicIdentity of(String topic);

  /**
   * Reads the identities anew: at start, and whenever partitions are assigned, since a topic may
   * have been created anew in between.
   *
   * @return those of {@code topics} that were known before and are another topic now
   * @throws TopicReadException if one could not be read, or does not exist
   */
  Set<String> refresh(Collection<String> topics);

  /**
   * Returns identities read from the cluster that {@code admin} is connected to. It needs the ACL
   * {@code DESCRIBE} on each topic.
   *
   * @param timeout how long to wait for an answer; above 0
   */
  static TopicIdentities read(Admin admin, Duration timeout) {
    return new AdminTopicIdentities(new AdminReads(admin, timeout));
  }

  /**
   * Returns identities of which only the names are known, for a loop that has no {@code
   * AdminClient}.
   */
  static TopicIdentities byName() {
    return NamesOnly.INSTANCE;
  }
}
