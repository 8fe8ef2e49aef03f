// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.Policy;
import io.dedup.kafka.TopicOptions;
import io.dedup.kafka.spring.GuardSwitch;
import io.dedup.kafka.spring.ListenerMode;
import io.dedup.kafka.spring.ListenerOptions;

/** Turns what the configuration says of topics into options of their listeners. */
final class ListenerTopics {

  private ListenerTopics() {}

  /**
   * Returns the options of a rule.
   *
   * @throws ConfigurationRefused if replies are to be sent again
   */
  static ListenerOptions options(TopicSettings settings) {
    if (settings.onDuplicate() == OnDuplicate.REPLAY) {
      throw ConfigurationRefused.property(
          "dedup.kafka.topics."
              + settings.rule()
              + ".on-duplicate: was replay, must be skip: replies are not kept",
          "",
          null);
    }
    ListenerOptions options =
        new ListenerOptions(
            topic -> changed(settings, topic),
            ListenerMode.valueOf(settings.mode().name()),
            GuardSwitch.valueOf(settings.guard().name()),
            null);
    return settings.leaseIsSet()
        ? options.lease(Policy.defaults().with(settings.policy()).lease())
        : options;
  }

  private static TopicOptions changed(TopicSettings settings, TopicOptions topic) {
    TopicOptions changed =
        topic
            .ttl(settings.ttl())
            .scope(settings.scope())
            .fingerprint(settings.fingerprint())
            .onMissingKey(settings.onMissingKey())
            .policy(settings.policy());
    if (settings.key() != null) {
      changed.key(settings.key());
    }
    if (settings.forceHeader() != null) {
      changed.forceHeader(settings.forceHeader());
    }
    // Of a pattern each topic is read apart, and no headers are believed.
    if (settings.replay() != null && topic.topic().indexOf('*') < 0) {
      changed.replay(settings.replay().from(topic.topic()));
    }
    return changed;
  }
}
