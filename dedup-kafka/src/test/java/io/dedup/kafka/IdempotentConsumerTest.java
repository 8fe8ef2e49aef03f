// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static io.dedup.kafka.Bench.awaitUntil;
import static io.dedup.kafka.Bench.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.OnMissingKey;
import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.State;
import io.dedup.kafka.key.Fingerprints;
import io.dedup.kafka.topic.DeadLetterReplay;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class IdempotentConsumerTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  private Bench bench;

  @BeforeEach
  void setUp() {
    bench = new Bench(kafka.get(), 2);
  }

  @AfterEach
  void tearDown() throws Exception {
    bench.close();
  }

  @Test
  void anEffectHappensOnceForDuplicatesOnOnePartitionAndOnTwo() {
    bench.publish(0, "a", "a0");
    bench.publish(0, "a", "a0 again");
    bench.publish(1, "a", "a1");
    bench.publish(1, "b", "b1");
    bench.started(bench.consumer().build());
    bench.awaitNoLag();
    assertThat(bench.effects).hasSize(2).filteredOn(e -> e.startsWith("a")).hasSize(1);
  }

  @Test
  void recordsOfAPartitionAreProcessedInOrder() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      bench.publish(0, "id-" + i, "v" + i);
      expected.add("v" + i);
    }
    bench.started(bench.consumer().build());
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactlyElementsOf(expected);
  }

  @Test
  void whatWasDoneBeforeARestartIsNotDoneAgainThoughItsOffsetWasSetBack() throws Exception {
    for (int i = 0; i < 10; i++) {
      bench.publish(0, "id-" + i, "v" + i);
    }
    try (var first = bench.consumer().build()) {
      first.start();
      bench.awaitNoLag();
    }
    bench.seek(0, 6);
    bench.started(bench.consumer().build());
    bench.awaitNoLag();
    assertThat(bench.effects).hasSize(10);
  }

  @Test
  void twoGroupsEachHaveTheEffect() {
    bench.publish(0, "a", "v");
    bench.started(bench.consumer().build());
    Map<String, Object> other = bench.properties();
    other.put("group.id", bench.group + "-other");
    bench.started(bench.consumer(other, t -> t).build());
    bench.awaitNoLag();
    bench.awaitNoLag(bench.group + "-other");
    assertThat(bench.effects).containsExactly("v", "v");
  }

  @Test
  void aFailingRecordIsTriedAgainAndHoldsBackNoOtherPartition() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    bench.publish(0, "bad", "bad");
    bench.publish(0, "after", "after");
    bench.publish(1, "other", "other");
    bench.started(
        bench
            .consumer()
            .backOff(new BackOff(Duration.ofMillis(200), Duration.ofMillis(200), 100))
            .handler(
                (record, context) -> {
                  boolean otherIsDone = bench.effects.contains("other");
                  if (record.value().equals("bad")
                      && (runs.incrementAndGet() < 3 || !otherIsDone)) {
                    throw new IllegalStateException("not now");
                  }
                  bench.effect(record, context);
                })
            .build());
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactly("other", "bad", "after");
    assertThat(runs.get()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void aRecordThatKeepsFailingBecomesADeadLetterThatSaysWhatItWas() {
    bench.publish(0, "bad", "payload");
    bench.publish(0, "good", "good");
    AtomicInteger runs = new AtomicInteger();
    bench.started(
        bench
            .consumer()
            .handler(
                (record, context) -> {
                  if (record.value().equals("payload")) {
                    runs.incrementAndGet();
                    throw new IllegalStateException("never");
                  }
                  bench.effect(record, context);
                })
            .build());
    bench.awaitNoLag();
    assertThat(runs).as("one run and two retries").hasValue(3);
    assertThat(bench.effects).containsExactly("good");
    ConsumerRecord<byte[], byte[]> letter = bench.deadLetters(1).get(0);
    assertThat(letter.value()).isEqualTo("payload".getBytes(UTF_8));
    assertThat(header(letter, Bench.ID)).isEqualTo("bad");
    assertThat(header(letter, "dedup-reason")).isEqualTo("FAILED");
    assertThat(header(letter, "kafka_dlt-original-topic")).isEqualTo(bench.topic);
    assertThat(header(letter, "kafka_dlt-original-consumer-group")).isEqualTo(bench.group);
    assertThat(header(letter, "kafka_dlt-exception-fqcn"))
        .isEqualTo(IllegalStateException.class.getName());
    byte[] offset = letter.headers().lastHeader("kafka_dlt-original-offset").value();
    assertThat(ByteBuffer.wrap(offset).getLong()).isZero();
    assertThat(bench.store.find(bench.key("bad")))
        .get()
        .extracting(r -> r.state())
        .isEqualTo(State.FAILED);
  }

  @Test
  void aReplayedDeadLetterHasTheKeyOfItsOriginal() {
    AtomicInteger broken = new AtomicInteger(1);
    bench.publish(0, "a", "v");
    bench.started(
        bench
            .consumer()
            .topic(
                bench.deadLetterTopic(),
                t ->
                    t.key(io.dedup.kafka.key.KeyExtractors.header(Bench.ID))
                        .ttl(Duration.ofDays(1))
                        .replay(DeadLetterReplay.from(bench.deadLetterTopic()).of(bench.topic)))
            .backOff(new BackOff(Duration.ZERO, Duration.ZERO, 0))
            .handler(
                (record, context) -> {
                  if (broken.getAndDecrement() > 0) {
                    throw new IllegalStateException("broken");
                  }
                  bench.effects.add(record.topic().equals(bench.topic) ? "original" : "replay");
                })
            .build());
    awaitUntil(() -> bench.effects.size() == 1);
    bench.publish(1, "a", "v");
    bench.awaitNoLag();
    assertThat(bench.effects).as("the duplicate is known by the replay").containsExactly("replay");
  }

  @Test
  void anOffsetIsNotCommittedBeforeItsDeadLetterIsKept() throws Exception {
    AtomicInteger offered = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    List<DeadLetter> kept = new ArrayList<>();
    bench.publish(0, "bad", "bad");
    bench.started(
        bench
            .consumer()
            .backOff(new BackOff(Duration.ZERO, Duration.ZERO, 0))
            .handler(
                (record, context) -> {
                  runs.incrementAndGet();
                  throw new IllegalStateException("never");
                })
            .deadLetters(
                letter -> {
                  assertThat(bench.committed(bench.group)).isEmpty();
                  if (offered.incrementAndGet() < 3) {
                    throw new IllegalStateException("no room");
                  }
                  kept.add(letter);
                })
            .build());
    bench.awaitNoLag();
    assertThat(kept).hasSize(1);
    assertThat(runs).as("only the letter is offered again").hasValue(1);
  }

  @Test
  void withoutDeadLettersARecordIsHeldAndNeverSkipped() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    bench.publish(0, "bad", "bad");
    bench.publish(0, "behind", "behind");
    bench.publish(1, "other", "other");
    var consumer =
        bench.started(
            bench
                .consumer()
                .deadLetters(null)
                .backOff(new BackOff(Duration.ZERO, Duration.ZERO, 1))
                .handler(
                    (record, context) -> {
                      if (record.value().equals("bad")) {
                        runs.incrementAndGet();
                        throw new IllegalStateException("never");
                      }
                      bench.effect(record, context);
                    })
                .build());
    awaitUntil(() -> bench.committed(bench.group).equals(Map.of(1, 1L)));
    awaitUntil(() -> consumer.status().waiting().size() == 1);
    assertThat(bench.effects).containsExactly("other");
    assertThat(runs).hasValue(2);
  }

  @Test
  void aConflictBecomesADeadLetter() {
    bench.publish(0, "a", "one");
    bench.publish(0, "a", "another");
    bench.publish(0, "a", "one");
    bench.started(
        bench.consumer(bench.properties(), t -> t.fingerprint(Fingerprints.raw())).build());
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactly("one");
    assertThat(bench.deadLetters(1))
        .singleElement()
        .satisfies(letter -> assertThat(header(letter, "dedup-reason")).isEqualTo("CONFLICT"));
  }

  @Test
  void aBusyKeyIsWaitedForWithoutCostingARetryAndHoldsBackOnlyItsPartition() throws Exception {
    ClaimRequest rival =
        ClaimRequest.builder(bench.key("a"), "rival", Duration.ofMinutes(5), Duration.ofDays(1))
            .build();
    assertThat(bench.store.claim(List.of(rival)).claimed().get(0))
        .isInstanceOf(ClaimAnswer.Acquired.class);
    bench.publish(0, "a", "a");
    bench.publish(1, "b", "b");
    var consumer =
        bench.started(
            bench.consumer().backOff(new BackOff(Duration.ZERO, Duration.ZERO, 0)).build());
    awaitUntil(() -> consumer.status().waiting().size() == 1);
    awaitUntil(() -> bench.committed(bench.group).equals(Map.of(1, 1L)));
    assertThat(bench.effects).containsExactly("b");
    bench.time.advance(Duration.ofMinutes(6));
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactly("b", "a");
  }

  @Test
  void whileTheStoreIsOutOfReachNothingIsProcessedOrCommittedAndAfterwardsAllIs() throws Exception {
    TroubledStore store = new TroubledStore(bench.store);
    store.down = true;
    for (int i = 0; i < 10; i++) {
      bench.publish(i % 2, "id-" + i, "v" + i);
    }
    var consumer = bench.started(bench.consumer().deduplicator(bench.deduplicator(store)).build());
    awaitUntil(() -> consumer.status().trouble() != null && store.refused.get() > 4);
    assertThat(bench.committed(bench.group)).isEmpty();
    assertThat(bench.effects).isEmpty();
    store.down = false;
    bench.awaitNoLag();
    assertThat(bench.effects).hasSize(10).doesNotHaveDuplicates();
    awaitUntil(() -> consumer.status().trouble() == null);
  }

  @Test
  void aKeyThatTheStoreCannotReadHoldsBackItsPartitionAndNoOther() throws Exception {
    TroubledStore store = new TroubledStore(bench.store);
    store.corruptId = "broken";
    bench.publish(0, "broken", "broken");
    bench.publish(1, "fine", "fine");
    bench.started(bench.consumer().deduplicator(bench.deduplicator(store)).build());
    awaitUntil(() -> bench.committed(bench.group).equals(Map.of(1, 1L)));
    assertThat(bench.effects).containsExactly("fine");
    store.corruptId = "";
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactly("fine", "broken");
  }

  @Test
  void anEffectWhoseCompletionIsTakenOverIsNotAcknowledgedByTheLateWorker() {
    bench.publish(0, "a", "v");
    AtomicInteger runs = new AtomicInteger();
    bench.started(
        bench
            .consumer()
            .handler(
                (record, context) -> {
                  if (runs.incrementAndGet() == 1) {
                    bench.time.advance(Duration.ofHours(1));
                    ClaimRequest rival =
                        ClaimRequest.builder(
                                context.key(), "rival", Duration.ofMinutes(1), Duration.ofDays(1))
                            .build();
                    bench.store.claim(List.of(rival));
                    bench.time.advance(Duration.ofHours(1));
                  }
                  bench.effect(record, context);
                })
            .build());
    bench.awaitNoLag();
    assertThat(runs).as("the late worker's run does not count").hasValue(2);
  }

  @Test
  void aRecordWithoutAKeyIsRefusedUnlessItIsToRunUnguarded() {
    bench.publish(0, null, "no id");
    bench.publish(0, "", "empty id");
    bench.started(bench.consumer().build());
    bench.awaitNoLag();
    assertThat(bench.effects).isEmpty();
    assertThat(bench.deadLetters(2))
        .allSatisfy(letter -> assertThat(header(letter, "dedup-reason")).isEqualTo("NO_KEY"));
  }

  @Test
  void recordsWithoutAKeyRunEachIfThatIsThePolicy() {
    bench.publish(0, null, "same");
    bench.publish(0, null, "same");
    bench.publish(0, null, "same");
    bench.started(
        bench.consumer(bench.properties(), t -> t.onMissingKey(OnMissingKey.PROCESS)).build());
    bench.awaitNoLag();
    assertThat(bench.effects).hasSize(3);
    assertThat(bench.store.stats().live()).isZero();
  }

  @Test
  void aRecordThatCannotBeDeserializedBecomesADeadLetterAsItIs() {
    bench.publish(0, "a", "not four bytes");
    Map<String, Object> properties = bench.properties();
    properties.put("value.deserializer", IntegerDeserializer.class);
    bench.started(bench.consumer(properties, t -> t).build());
    bench.awaitNoLag();
    ConsumerRecord<byte[], byte[]> letter = bench.deadLetters(1).get(0);
    assertThat(header(letter, "dedup-reason")).isEqualTo("DESERIALIZATION");
    assertThat(letter.value()).isEqualTo("not four bytes".getBytes(UTF_8));
  }

  @Test
  void aPartitionThatMovesToANewMemberIsGoneOnWithWhereItWasLeft() {
    for (int i = 0; i < 40; i++) {
      bench.publish(i % 2, "id-" + i, "v" + i);
    }
    var first = bench.started(bench.consumer().build());
    awaitUntil(() -> first.status().assigned().size() == 2);
    var second = bench.started(bench.consumer().build());
    awaitUntil(() -> second.status().assigned().size() == 1);
    for (int i = 0; i < 60; i++) {
      bench.publish(i % 2, "id-" + i, "v" + i);
    }
    bench.awaitNoLag();
    assertThat(bench.effects).hasSize(60).doesNotHaveDuplicates();
  }

  @Test
  void aHandlerThatOutlivesThePollIntervalIsNotRunTwiceAtATime() {
    Map<String, Object> properties = bench.properties();
    properties.put("max.poll.interval.ms", 3000);
    properties.put("session.timeout.ms", 45000);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    bench.publish(0, "slow", "slow");
    Runnable start =
        () ->
            bench.started(
                bench
                    .consumer(properties, t -> t)
                    .lease(Duration.ofSeconds(2))
                    .handler(
                        (record, context) -> {
                          most.accumulateAndGet(running.incrementAndGet(), Math::max);
                          long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
                          while (System.nanoTime() < until) {
                            Thread.onSpinWait();
                          }
                          running.decrementAndGet();
                          bench.effect(record, context);
                        })
                    .build());
    start.run();
    start.run();
    bench.awaitNoLag();
    assertThat(most).hasValue(1);
    assertThat(bench.effects).containsExactly("slow");
  }

  @Test
  void theMarkersOfATransactionalProducerLeaveNoLag() {
    try (KafkaProducer<byte[], byte[]> transactional =
        bench.producer(Map.of("transactional.id", bench.topic))) {
      transactional.initTransactions();
      transactional.beginTransaction();
      Bench.send(transactional, bench.record(0, "a", "a"));
      transactional.commitTransaction();
      transactional.beginTransaction();
      Bench.send(transactional, bench.record(0, "b", "aborted"));
      transactional.abortTransaction();
    }
    Map<String, Object> properties = bench.properties();
    properties.put("isolation.level", "read_committed");
    bench.started(bench.consumer(properties, t -> t).build());
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactly("a");
  }

  @Test
  void itWorksWithTheGroupProtocolThatTheBrokerDrives() {
    Map<String, Object> properties = bench.properties();
    properties.put("group.protocol", "consumer");
    bench.publish(0, "a", "a");
    bench.publish(1, "a", "a");
    bench.started(bench.consumer(properties, t -> t).build());
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactly("a");
  }

  @Test
  void aRecordIsForcedThroughOnceByTheHeaderThatIsConfiguredForIt() throws Exception {
    bench.publish(0, "a", "first");
    var forced = bench.record(0, "a", "forced");
    forced.headers().add("dedup-force", new byte[0]);
    Bench.send(bench.producer, forced);
    bench.publish(0, "a", "third");
    try (var consumer =
        bench.consumer(bench.properties(), t -> t.forceHeader("dedup-force")).build()) {
      consumer.start();
      bench.awaitNoLag();
    }
    assertThat(bench.effects).containsExactly("first", "forced");
    bench.seek(0, 0);
    bench.started(bench.consumer(bench.properties(), t -> t.forceHeader("dedup-force")).build());
    bench.awaitNoLag();
    assertThat(bench.effects).containsExactly("first", "forced");
  }

  @Test
  void anIntentionalEndCommitsWhatIsDoneAndStopsAfterTheRecordInHand() throws Exception {
    for (int i = 0; i < 20; i++) {
      bench.publish(0, "id-" + i, "v" + i);
    }
    AtomicInteger closing = new AtomicInteger();
    IdempotentConsumer<?, ?>[] consumer = new IdempotentConsumer<?, ?>[1];
    consumer[0] =
        bench
            .consumer()
            .handler(
                (record, context) -> {
                  bench.effect(record, context);
                  if (closing.incrementAndGet() == 5) {
                    consumer[0].close();
                  }
                })
            .build();
    consumer[0].run();
    assertThat(bench.effects).hasSize(5);
    assertThat(bench.committed(bench.group)).isEqualTo(Map.of(0, 5L));
    assertThat(consumer[0].status().state()).isEqualTo(ConsumerStatus.State.ENDED);
  }
}
