// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.Deduplicator;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.InMemoryClaimStore;
import io.dedup.claim.StoreUnavailable;
import io.dedup.kafka.DeadLetter;
import io.dedup.kafka.RecordDeduplicator;
import io.dedup.kafka.key.KeyExtractors;
import io.dedup.key.CompositeId;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.ForwardingClaimStore;
import io.dedup.time.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockShareConsumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.support.ShareAcknowledgment;

/** What the broker hears of records that cannot be handled, with time moved by hand. */
class ShareDeliveriesTest {

  private static final String TOPIC = "orders";
  private static final String GROUP = "billing";
  private static final ShareTerms TERMS = new ShareTerms(Duration.ofSeconds(30), 5);

  private final HandTime clock = new HandTime();
  private final SwitchedStore store = new SwitchedStore(InMemoryClaimStore.create());
  private final Deduplicator deduplicator = Deduplicator.builder(store).build();
  private final List<String> effects = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private final List<Exception> recovered = new ArrayList<>();

  @AfterEach
  void close() {
    deduplicator.close();
  }

  @Test
  void aBusyRecordIsReleasedAfterTwoThirdsOfItsLock() {
    claimElsewhere("a");
    deliver("a", 1, this::recover);
    assertThat(effects).isEmpty();
    assertThat(heard).containsExactly("release");
    assertThat(clock.elapsed()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(22));
  }

  @Test
  void aBusyRecordIsKeptElsewhereAtItsLastDeliveryAndThenRejected() {
    claimElsewhere("a");
    deliver("a", 5, this::recover);
    assertThat(heard).containsExactly("recovered", "reject");
    assertThat(recovered)
        .singleElement()
        .isInstanceOfSatisfying(
            RecordRefused.class,
            refused ->
                assertThat(refused.reason()).isEqualTo(DeadLetter.Reason.DELIVERIES_USED_UP));
  }

  @Test
  void aRecordThatIsNotKeptElsewhereIsLeftToTheContainerAndNotAcknowledged() {
    claimElsewhere("a");
    assertThatThrownBy(() -> deliver("a", 5, null)).isInstanceOf(RecordRefused.class);
    assertThatThrownBy(
            () ->
                deliver(
                    "a",
                    5,
                    (record, e) -> {
                      throw new IllegalStateException("no dead letters today");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(heard).isEmpty();
  }

  @Test
  void aRefusedRecordThatCannotBeKeptElsewhereIsHandedOutAgain() {
    deliver("", 1, this::recover);
    deliver(
        "",
        1,
        (record, e) -> {
          throw new IllegalStateException("no dead letters today");
        });
    assertThat(effects).isEmpty();
    assertThat(heard).containsExactly("recovered", "reject", "release");
    assertThat(recovered)
        .singleElement()
        .isInstanceOfSatisfying(
            RecordRefused.class,
            refused -> assertThat(refused.reason()).isEqualTo(DeadLetter.Reason.NO_KEY));
  }

  @Test
  void aStoreInTroubleIsNoFailureAndNoDuplicate() {
    store.down = true;
    deliver("a", 1, this::recover);
    assertThat(effects).isEmpty();
    assertThat(heard).containsExactly("release");
    store.down = false;
    deliver("a", 2, this::recover);
    deliver("a", 1, this::recover);
    assertThat(effects).containsExactly("a");
    assertThat(heard).containsExactly("release", "accept", "accept");
  }

  private void recover(ConsumerRecord<?, ?> record, Exception e) {
    recovered.add(e);
    heard.add("recovered");
  }

  private void deliver(String id, int delivery, @Nullable ConsumerRecordRecoverer recoverer) {
    RecordDeduplicator records =
        RecordDeduplicator.builder(deduplicator, GROUP)
            .topic(TOPIC, t -> t.key(KeyExtractors.header("event-id")).ttl(Duration.ofDays(1)))
            .build();
    ContainerGuard guard =
        new ContainerGuard(
            "shares",
            deduplicator,
            ListenerMode.LEASE,
            records.asks(),
            topic -> GuardSwitch.ENFORCE,
            false,
            1,
            clock,
            null);
    GenericMessageListener<ConsumerRecord<String, String>> listener =
        record -> effects.add(record.value());
    new GuardedShareListener<String, String>(listener, guard, TERMS, recoverer, false)
        .onShareRecord(record(id, delivery), new Heard(), new MockShareConsumer<>());
  }

  private static ConsumerRecord<String, String> record(String id, int delivery) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("event-id", id.getBytes(UTF_8));
    return new ConsumerRecord<>(
        TOPIC,
        0,
        0,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        id,
        headers,
        Optional.empty(),
        Optional.of((short) delivery));
  }

  private void claimElsewhere(String id) {
    IdempotencyKey key = IdempotencyKey.of(CompositeId.join(List.of(GROUP, TOPIC)), id);
    store.claim(
        List.of(
            ClaimRequest.builder(key, "rival", Duration.ofHours(1), Duration.ofDays(1)).build()));
  }

  /** What is said of a record. */
  private final class Heard implements ShareAcknowledgment {
    @Override
    public void acknowledge() {
      heard.add("accept");
    }

    @Override
    public void release() {
      heard.add("release");
    }

    @Override
    public void reject() {
      heard.add("reject");
    }
  }

  /** Out of reach while a test says so. */
  private static final class SwitchedStore extends ForwardingClaimStore {
    private boolean down;

    SwitchedStore(ClaimStore store) {
      super(store);
    }

    @Override
    protected ClaimStore store() {
      if (down) {
        throw new StoreUnavailable("switched off", null);
      }
      return super.store();
    }
  }

  /** Time that passes where somebody waits, and nowhere else. */
  private static final class HandTime implements ProcessClock {
    private long nanos;

    Duration elapsed() {
      return Duration.ofNanos(nanos);
    }

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void sleep(Duration duration) {
      nanos += duration.toNanos();
    }
  }
}
