// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import java.util.List;

/**
 * The ports of a broker. Clients that come in by {@code behindProxy} are told to come back by
 * {@code proxy}, where a proxy listens once there is one.
 */
record KafkaPorts(int client, int controller, int behindProxy, int proxy) {

  static final int COUNT = 4;

  static KafkaPorts of(List<Integer> ports) {
    return new KafkaPorts(ports.get(0), ports.get(1), ports.get(2), ports.get(3));
  }
}
