// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import java.time.Duration;

/** Counts what contenders send to their stores, in passes of their own that nobody times. */
final class Metering implements AutoCloseable {

  private final CountingProxy redis;
  private final CountingProxy postgres;
  private final Stores stores;

  Metering(Backends backends) {
    this.redis = CountingProxy.before(backends.redis(), RespMeter::new);
    this.postgres = CountingProxy.before(backends.postgres(), PostgresMeter::new);
    this.stores =
        new Stores(
            "redis://" + redis.host() + ":" + redis.port(),
            backends.jdbc(postgres.host(), postgres.port()));
  }

  /** A pass, and what it sent. */
  record Metered(Pass pass, Traffic traffic) {}

  Metered pass(Track track, Contender contender, Dataset data, Duration effectTakes) {
    Traffic[] span = {Traffic.NONE, Traffic.NONE};
    Pass pass =
        track.pass(
            contender,
            data,
            effectTakes,
            stores,
            () -> span[0] = traffic(),
            () -> span[1] = traffic());
    return new Metered(pass, span[1].minus(span[0]));
  }

  private Traffic traffic() {
    return redis.traffic().plus(postgres.traffic());
  }

  @Override
  public void close() {
    redis.close();
    postgres.close();
  }
}
