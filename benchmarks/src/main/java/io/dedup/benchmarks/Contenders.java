// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

import static io.dedup.benchmarks.Contender.once;
import static io.dedup.benchmarks.Contender.without;
import static io.dedup.benchmarks.PollLoop.Commits.ASYNCHRONOUS;
import static io.dedup.benchmarks.PollLoop.Commits.SYNCHRONOUS;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Everybody who takes part, by name. */
final class Contenders {

  private final Map<String, Contender> byName;

  private Contenders(Stream<Contender> all) {
    this.byName =
        all.collect(Collectors.toMap(Contender::name, c -> c, (a, b) -> a, LinkedHashMap::new));
  }

  static Contenders all() {
    return new Contenders(
        Stream.of(baselines(), ours(), spring(), peers(), limits()).flatMap(s -> s));
  }

  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /**
   * Returns a contender.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  Contender named(String name) {
    Contender found = byName.get(name);
    if (found == null) {
      throw new IllegalArgumentException("contender: was " + name + ", must be one of " + names());
    }
    return found;
  }

  /** Whether it is the framework, whatever drives it. */
  static boolean isOurs(String name) {
    return Stream.concat(ours(), spring()).anyMatch(contender -> contender.name().equals(name));
  }

  private static Stream<Contender> baselines() {
    Step.Opening plain = course -> new PlainStep(course.effect());
    return Stream.of(
        without(Contender.PLAIN, PollLoop.of(plain, SYNCHRONOUS)),
        without("plain-async", PollLoop.of(plain, ASYNCHRONOUS)),
        without("spring-record", SpringSession.unguarded(SpringSession.Form.RECORD)),
        without("spring-batch", SpringSession.unguarded(SpringSession.Form.BATCH)));
  }

  private static Stream<Contender> ours() {
    return Stream.of(
        once("lease-redis", PlainConsumerSession.in(Deduplication.Mode.LEASE_ON_REDIS)),
        once("lease-jdbc", PlainConsumerSession.in(Deduplication.Mode.LEASE_ON_JDBC)),
        once("transactional", PlainConsumerSession.in(Deduplication.Mode.TRANSACTIONAL)),
        once(
            "transactional-grouped",
            PlainConsumerSession.in(Deduplication.Mode.TRANSACTIONAL, Course.MAX_POLL_RECORDS)),
        once("tiered", PlainConsumerSession.in(Deduplication.Mode.TIERED)),
        once(
            "tiered-grouped",
            PlainConsumerSession.in(Deduplication.Mode.TIERED, Course.MAX_POLL_RECORDS)));
  }

  private static Stream<Contender> spring() {
    return Stream.of(
        once(
                "spring-record-lease",
                SpringSession.guarded(SpringSession.Form.RECORD, Deduplication.Mode.LEASE_ON_REDIS))
            .comparedWith("spring-record"),
        once(
                "spring-batch-lease",
                SpringSession.guarded(SpringSession.Form.BATCH, Deduplication.Mode.LEASE_ON_REDIS))
            .comparedWith("spring-batch"),
        once(
                "spring-record-transactional",
                SpringSession.guarded(SpringSession.Form.RECORD, Deduplication.Mode.TRANSACTIONAL))
            .comparedWith("spring-record"),
        once(
                "spring-batch-transactional",
                SpringSession.guarded(SpringSession.Form.BATCH, Deduplication.Mode.TRANSACTIONAL))
            .comparedWith("spring-batch"));
  }

  private static Stream<Contender> peers() {
    return Stream.of(
        gated("set-nx", stores -> new SetNxGate(stores.redis())),
        gated("spring-integration-redis", stores -> SpringIntegrationGate.onRedis(stores.redis())),
        gated("spring-integration-jdbc", stores -> SpringIntegrationGate.onJdbc(stores.jdbc())),
        gated("camel-redis", stores -> CamelGate.onRedis(stores.redis())),
        gated("camel-jdbc", stores -> CamelGate.onJdbc(stores.jdbc())),
        once("row-inbox", PollLoop.of(RowInboxStep::new, SYNCHRONOUS)));
  }

  private static Stream<Contender> limits() {
    Step.Opening pipelined = RedisLimitStep.of(RedisLimit.Calls.PIPELINED);
    Step.Opening oneScript = RedisLimitStep.of(RedisLimit.Calls.ONE_SCRIPT);
    Step.Opening sql = SqlLimitStep::new;
    return Stream.of(
        once("limit-redis-pipelined", PollLoop.of(pipelined, SYNCHRONOUS)),
        once("limit-redis-pipelined-async", PollLoop.of(pipelined, ASYNCHRONOUS)),
        once("limit-redis-script", PollLoop.of(oneScript, SYNCHRONOUS)),
        once("limit-redis-script-async", PollLoop.of(oneScript, ASYNCHRONOUS)),
        once("limit-sql", PollLoop.of(sql, SYNCHRONOUS)),
        once("limit-sql-async", PollLoop.of(sql, ASYNCHRONOUS)));
  }

  private static Contender gated(String name, GateOpening gate) {
    return once(
        name,
        PollLoop.of(
            course -> new GatedStep(course.effect(), gate.open(course.stores())), SYNCHRONOUS));
  }

  private interface GateOpening {
    Gate open(Stores stores) throws Exception;
  }
}
