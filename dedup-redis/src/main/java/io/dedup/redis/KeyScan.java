// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/**
 * Walks through the names of our keys on all masters by {@code SCAN}: each key that is there all
 * the while is met at least once, and some may be met twice.
 */
final class KeyScan {

  /** How many keys one step of a node looks at, and how many names are handed on at the most. */
  static final int STEP = 500;

  private KeyScan() {}

  /** Hands the names on in lists, none empty, until {@code visitor} wants no more. */
  static void walk(RedisConnection connection, String pattern, Predicate<List<byte[]>> visitor) {
    ScanOptions options = ScanOptions.scanOptions().match(pattern).count(STEP).build();
    if (!(connection instanceof RedisClusterConnection cluster)) {
      walk(connection.keyCommands().scan(options), visitor);
      return;
    }
    for (RedisClusterNode node : cluster.clusterGetNodes()) {
      boolean hasSlots = node.isMaster() && !node.getSlotRange().getSlots().isEmpty();
      if (hasSlots && !walk(cluster.scan(node, options), visitor)) {
        return;
      }
    }
  }

  private static boolean walk(Cursor<byte[]> found, Predicate<List<byte[]>> visitor) {
    try (found) {
      List<byte[]> names = new ArrayList<>(STEP);
      while (found.hasNext()) {
        names.add(found.next());
        if (names.size() == STEP || !found.hasNext()) {
          if (!visitor.test(names)) {
            return false;
          }
          names = new ArrayList<>(STEP);
        }
      }
      return true;
    }
  }
}
