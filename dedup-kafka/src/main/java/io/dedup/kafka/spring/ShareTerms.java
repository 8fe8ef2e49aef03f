// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On what terms the broker hands a record of a share group out (KIP-932).
 *
 * @param lock for how long it is a consumer's before it is handed out again; positive
 * @param deliveries how often it is handed out at most, after which it is gone; at least 1
 */
record ShareTerms(Duration lock, int deliveries) {

  private static final Logger LOG = LoggerFactory.getLogger(ShareTerms.class);
  private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(30);

  /** The broker's defaults. */
  static final ShareTerms USUAL = new ShareTerms(Duration.ofSeconds(30), 5);

  /** Returns how long a record may wait in its consumer: the lock, less what settling may take. */
  Duration patience() {
    return lock.multipliedBy(2).dividedBy(3);
  }

  /** Reads the terms of a group, which the broker keeps; the usual ones where it tells none. */
  static ShareTerms of(Admin admin, String group) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
    try {
      Config config =
          admin
              .describeConfigs(List.of(resource))
              .all()
              .get(ADMIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
              .get(resource);
      return new ShareTerms(
          Duration.ofMillis(
              number(config, "share.record.lock.duration.ms", USUAL.lock().toMillis())),
          (int) number(config, "share.delivery.count.limit", USUAL.deliveries()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL;
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("terms of share group {} cannot be read, taking {}: {}", group, USUAL, e.toString());
      return USUAL;
    }
  }

  private static long number(@Nullable Config config, String name, long usual) {
    ConfigEntry entry = config == null ? null : config.get(name);
    return entry == null || entry.value() == null ? usual : Long.parseLong(entry.value());
  }
}
