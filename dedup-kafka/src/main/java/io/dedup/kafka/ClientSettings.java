// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Deduplicator;
import io.dedup.Policy;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** What a consumer's properties say, checked. Immutable. */
public final class ClientSettings {

  private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(30);

  private final Map<String, Object> properties;
  private final ConsumerConfig config;
  private final String group;

  private ClientSettings(Map<String, Object> properties, ConsumerConfig config, String group) {
    this.properties = properties;
    this.config = config;
    this.group = group;
  }

  /**
   * Returns the settings.
   *
   * @throws IllegalArgumentException if there is no group, or offsets are to be committed
   *     automatically
   * @throws org.apache.kafka.common.config.ConfigException if a property is not what Kafka's client
   *     takes
   */
  public static ClientSettings of(Map<String, ?> properties) {
    Map<String, Object> copy = new HashMap<>(properties);
    Object group = copy.get(ConsumerConfig.GROUP_ID_CONFIG);
    if (group == null || group.toString().isBlank()) {
      throw new IllegalArgumentException(
          "group.id: was "
              + (group == null ? "not set" : "blank")
              + ", must name the group: its name is part of each key");
    }
    Object auto = copy.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
    if (auto != null && auto.toString().strip().equalsIgnoreCase("true")) {
      throw new IllegalArgumentException(
          "enable.auto.commit: was true, must be false: offsets are committed when effects are done");
    }
    copy.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    copy.putIfAbsent(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    copy.putIfAbsent(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return new ClientSettings(copy, new ConsumerConfig(copy), group.toString());
  }

  /** Returns the group. */
  public String group() {
    return group;
  }

  /** Returns the properties of the user's consumer. */
  Map<String, Object> asGiven() {
    return properties;
  }

  /** Returns the properties of a consumer that reads bytes. */
  Map<String, Object> readingBytes() {
    Map<String, Object> bytes = new HashMap<>(properties);
    bytes.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    bytes.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return bytes;
  }

  /** Returns the properties of an admin client for the same cluster. */
  public Map<String, Object> ofAdmin() {
    Map<String, Object> admin = new HashMap<>(properties);
    // What no client knows may be for a plug-in that both clients need, to log in for example.
    Set<String> onlyConsumers = new HashSet<>(ConsumerConfig.configNames());
    onlyConsumers.removeAll(AdminClientConfig.configNames());
    admin.keySet().removeAll(onlyConsumers);
    return admin;
  }

  /** Returns the longest time between two polls. */
  public Duration maxPollInterval() {
    return Duration.ofMillis(config.getInt(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG));
  }

  /**
   * Returns the policy of a consumer's claims: with a lease that is over by the time the group
   * gives a dead member's partitions to others.
   *
   * @param chosen the lease that the user chose, null for none
   * @param maxProcessing how long a handler may run, null for the longest time between two polls
   * @throws IllegalArgumentException if there is no lease that goes with the other times
   */
  public Policy policy(
      Deduplicator deduplicator,
      @Nullable Duration chosen,
      @Nullable Duration maxProcessing,
      Admin admin) {
    Duration lease =
        chosen == null
            ? fitting(deduplicator, session(admin))
            : ConsumerLease.chosen(chosen, maxPollInterval());
    Duration longest = maxProcessing == null ? maxPollInterval() : maxProcessing;
    return deduplicator
        .policy()
        .with(p -> p.lease(lease).maxProcessing(longest).inProgressWait(Duration.ZERO));
  }

  private Duration fitting(Deduplicator deduplicator, Session session) {
    return ConsumerLease.fitting(
        deduplicator.policy().lease(),
        session.timeout(),
        session.heartbeat(),
        deduplicator.commandTimeout(),
        maxPollInterval());
  }

  /** Returns when a dead member is noticed; where the group's broker decides that, it is asked. */
  Session session(Admin admin) {
    String protocol = config.getString(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
    if (!protocol.equalsIgnoreCase("consumer")) {
      return new Session(
          Duration.ofMillis(config.getInt(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG)),
          Duration.ofMillis(config.getInt(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG)));
    }
    // KIP-848: the client has no session time-out of its own.
    ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
    Config groupConfig = describe(admin, resource);
    return new Session(
        millis(groupConfig, "consumer.session.timeout.ms"),
        millis(groupConfig, "consumer.heartbeat.interval.ms"));
  }

  private static Config describe(Admin admin, ConfigResource resource) {
    try {
      Map<ConfigResource, Config> configs =
          admin
              .describeConfigs(List.of(resource))
              .all()
              .get(ADMIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return Objects.requireNonNull(configs.get(resource));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading " + resource, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "configuration of "
              + resource
              + " cannot be read, and group.protocol=consumer takes its"
              + " session time-out from there; grant DESCRIBE_CONFIGS, or choose a lease",
          e);
    }
  }

  private static Duration millis(Config config, String name) {
    ConfigEntry entry = config.get(name);
    @Nullable String value = entry == null ? null : entry.value();
    if (value == null) {
      throw new IllegalStateException("broker does not tell " + name + "; choose a lease");
    }
    return Duration.ofMillis(Long.parseLong(value));
  }

  /**
   * When a dead member is noticed.
   *
   * @param timeout after its last heartbeat
   * @param heartbeat the interval of heartbeats
   */
  record Session(Duration timeout, Duration heartbeat) {}
}
