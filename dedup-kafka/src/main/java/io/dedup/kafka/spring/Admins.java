// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;

/** The clients that read what brokers know of topics: one for each cluster. Thread-safe. */
final class Admins implements AutoCloseable {

  private static final Duration AT_THE_END = Duration.ofSeconds(5);

  private final Function<Map<String, Object>, Admin> factory;
  private final Map<String, Admin> byServers = new ConcurrentHashMap<>();

  Admins(Function<Map<String, Object>, Admin> factory) {
    this.factory = factory;
  }

  Admin of(Map<String, Object> properties) {
    String servers = String.valueOf(properties.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
    return byServers.computeIfAbsent(servers, s -> factory.apply(properties));
  }

  @Override
  public void close() {
    byServers.values().forEach(admin -> admin.close(AT_THE_END));
    byServers.clear();
  }
}
