// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/** Reads {@link TopicRetention} and the brokers' check interval through an {@code AdminClient}. */
final class RetentionReader {

  /**
   * Its value for no limit. Brokers before 4.0 have it as the default of the timestamps' bounds.
   */
  private static final String NO_LIMIT = Long.toString(Long.MAX_VALUE);

  private static final String CHECK_INTERVAL = "log.retention.check.interval.ms";

  /** The bound's name on brokers before 3.6. */
  private static final String TIMESTAMP_DIFFERENCE_MAX = "message.timestamp.difference.max.ms";

  private final AdminReads reads;

  RetentionReader(AdminReads reads) {
    this.reads = reads;
  }

  /** Returns the ttls of topics with these settings, all of them in one exchange. */
  Map<String, ResolvedTtl> ttls(Map<String, MatchRetention> settings) {
    Set<String> names = new TreeSet<>(settings.keySet());
    settings.values().forEach(each -> names.addAll(each.copies()));
    Map<String, TopicRetention> topics = topics(names);
    boolean asked = settings.values().stream().anyMatch(each -> each.checkInterval() == null);
    Duration ofBrokers = asked ? checkInterval() : Duration.ZERO;
    Map<String, ResolvedTtl> ttls = new TreeMap<>();
    settings.forEach(
        (topic, each) -> {
          Duration given = each.checkInterval();
          ttls.put(
              topic,
              ResolvedTtl.matching(
                  of(topics, topic),
                  each.copies().stream().map(copy -> of(topics, copy)).toList(),
                  given == null ? ofBrokers : given,
                  each));
        });
    return ttls;
  }

  /**
   * Returns for how long the brokers can deliver a record of each topic again, empty for ever; with
   * the default of everything that they do not know.
   */
  Map<String, Optional<Duration>> bounds(Collection<String> topics) {
    Duration checkInterval = checkInterval();
    Map<String, Optional<Duration>> bounds = new TreeMap<>();
    topics(topics)
        .forEach(
            (name, topic) ->
                bounds.put(name, RetentionBound.of(topic, checkInterval, Ttl.matchRetention())));
    return bounds;
  }

  private static TopicRetention of(Map<String, TopicRetention> topics, String name) {
    return Objects.requireNonNull(topics.get(name), name);
  }

  private Map<String, TopicRetention> topics(Collection<String> topics) {
    return reads.untilKnown(() -> read(topics));
  }

  private Map<String, TopicRetention> read(Collection<String> topics) {
    List<ConfigResource> resources =
        topics.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    Map<String, TopicRetention> read = new TreeMap<>();
    configs(resources)
        .forEach(
            (resource, config) -> {
              String name = resource.name();
              String what = "topic " + name + ": its configuration";
              Config values = reads.get(config, what, "DESCRIBE_CONFIGS on the topic");
              read.put(name, retention(name, values));
            });
    return read;
  }

  private Duration checkInterval() {
    var options = new DescribeClusterOptions().timeoutMs(reads.timeoutMs());
    Collection<Node> brokers =
        reads.get(
            reads.admin().describeCluster(options).nodes(),
            "the cluster's brokers",
            "DESCRIBE on the cluster");
    List<ConfigResource> resources =
        brokers.stream()
            .map(broker -> new ConfigResource(ConfigResource.Type.BROKER, broker.idString()))
            .toList();
    Duration longest = Duration.ZERO;
    for (Map.Entry<ConfigResource, KafkaFuture<Config>> broker : configs(resources).entrySet()) {
      String what = "broker " + broker.getKey().name() + ": its " + CHECK_INTERVAL;
      Config config =
          reads.get(
              broker.getValue(),
              what,
              "DESCRIBE_CONFIGS on the cluster (or give the ttl its checkInterval)");
      Duration interval = millis(what, value(config, CHECK_INTERVAL));
      longest = interval.compareTo(longest) > 0 ? interval : longest;
    }
    return longest;
  }

  private Map<ConfigResource, KafkaFuture<Config>> configs(List<ConfigResource> resources) {
    var options = new DescribeConfigsOptions().timeoutMs(reads.timeoutMs());
    return reads.admin().describeConfigs(resources, options).values();
  }

  static TopicRetention retention(String topic, Config config) {
    String what = "topic " + topic + ": its ";
    String cleanup = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
    String retention = value(config, TopicConfig.RETENTION_MS_CONFIG);
    String after = value(config, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG);
    if (after == null) {
      after = value(config, TIMESTAMP_DIFFERENCE_MAX);
    }
    return new TopicRetention(
        topic,
        cleanup != null && Arrays.asList(cleanup.split("\\s*,\\s*")).contains("compact"),
        "-1".equals(retention) ? null : millis(what + TopicConfig.RETENTION_MS_CONFIG, retention),
        millis(what + TopicConfig.SEGMENT_MS_CONFIG, value(config, TopicConfig.SEGMENT_MS_CONFIG)),
        "LogAppendTime".equals(value(config, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG)),
        after == null || after.equals(NO_LIMIT)
            ? null
            : millis(what + TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, after));
  }

  private static @Nullable String value(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null ? null : entry.value();
  }

  private static Duration millis(String what, @Nullable String value) {
    try {
      return Duration.ofMillis(Long.parseLong(String.valueOf(value)));
    } catch (NumberFormatException e) {
      throw new TopicReadException(
          what + ": was " + value + ", must be a number of milliseconds", e);
    }
  }
}
