// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.dedup.claim.OnLeaseExpired;
import io.dedup.claim.Settlement;
import io.dedup.key.Fingerprint;
import io.dedup.key.IdempotencyKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What the front door writes to the log, and what it leaves out. */
class LogsTest {

  private static final IdempotencyKey KEY = IdempotencyKey.of("group|customers", "ann@example.org");
  private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.dedup");

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final World world = new World();
  private final Deduplicator dedup = world.dedup();

  @BeforeEach
  void listen() {
    LOGGER.setLevel(Level.TRACE);
    LOGGER.setAdditive(false);
    log.start();
    LOGGER.addAppender(log);
  }

  @AfterEach
  void close() {
    LOGGER.detachAppender(log);
    LOGGER.setAdditive(true);
    LOGGER.setLevel(null);
    MDC.clear();
    world.close();
  }

  @Test
  void duplicatesAreLoggedAtDebugAndConflictsAtWarn() {
    dedup.execute(delivery(1), Runs.answering("receipt"));
    dedup.execute(delivery(1), Runs.answering("receipt"));
    dedup.execute(delivery(2), Runs.answering("receipt"));

    assertThat(log.list)
        .extracting(e -> e.getLevel() + " " + e.getFormattedMessage())
        .containsExactly(
            "DEBUG Executed in scope group|customers, from unknown",
            "DEBUG Duplicate in scope group|customers, from unknown",
            "WARN Conflict in scope group|customers, from unknown");
  }

  @Test
  void doubtIsLoggedAtWarn() {
    world.workerVanishes(KEY);

    Policy hold = dedup.policy().with(p -> p.onLeaseExpired(OnLeaseExpired.HOLD));
    dedup.execute(Delivery.of(KEY), Runs.answering("receipt"), ResultCodec.none(), hold);

    assertThat(log.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN);
  }

  @Test
  void neitherKeysNorAnswersAreLoggedWhateverGoesWrong() {
    world.store.fail(FaultyStore.Sent::asksForKeys, 1, FaultyStore.answerLost());
    dedup.execute(KEY, Runs.failing());
    dedup.execute(KEY, Runs.answering("secret answer"));
    dedup.execute(delivery(2), Runs.answering("secret answer"));
    world.clock.advance(World.TTL);
    world.store.failAlways(FaultyStore.Sent::completes, FaultyStore.unreachable());
    dedup.execute(KEY, Runs.answering("secret answer"));
    world.store.failAlways(s -> s.settles(Settlement.Fail.class), FaultyStore.unreachable());
    dedup.execute(KEY, Runs.failing());
    world.clock.advance(World.LEASE);
    dedup.execute(
        Delivery.of(KEY),
        context -> {
          world.clock.advance(World.LEASE);
          world.rivalStarts(KEY);
          return "secret answer";
        },
        ResultCodec.text(),
        dedup.policy());

    assertThat(log.list).hasSizeGreaterThan(6);
    assertThat(log.list).allSatisfy(LogsTest::holdsNoSecret);
  }

  @Test
  void aHandlersLogLinesCarryItsKeyAndNoOtherLinesDo() {
    List<String> seen = new ArrayList<>();
    dedup.execute(
        KEY,
        context -> {
          seen.add(MDC.get("dedup.key"));
          return "receipt";
        });

    assertThat(seen).containsExactly("ann@example.org");
    assertThat(MDC.get("dedup.key")).isNull();
  }

  @Test
  void aHandlerHasItsKeyBackAfterACallFromWithinIt() {
    List<String> seen = new ArrayList<>();
    dedup.execute(
        KEY,
        outer -> {
          dedup.execute(
              World.KEY,
              inner -> {
                seen.add(MDC.get("dedup.key"));
                throw new IllegalStateException();
              });
          seen.add(MDC.get("dedup.key"));
          return "receipt";
        });

    assertThat(seen).containsExactly("4711", "ann@example.org");
    assertThat(MDC.get("dedup.key")).isNull();
  }

  @Test
  void aHandlersLogLinesCarryTheTokenOfItsClaimAndNoOtherLinesDo() {
    List<String> seen = new ArrayList<>();
    dedup.execute(
        KEY,
        outer -> {
          dedup.execute(
              World.KEY,
              inner -> {
                seen.add(MDC.get("dedup.trace"));
                seen.add(Long.toString(inner.fencingToken()));
                return "inner";
              });
          seen.add(MDC.get("dedup.trace"));
          seen.add(Long.toString(outer.fencingToken()));
          return "receipt";
        });

    assertThat(seen.get(0)).isEqualTo(seen.get(1));
    assertThat(seen.get(2)).isEqualTo(seen.get(3)).isNotEqualTo(seen.get(0));
    assertThat(MDC.get("dedup.trace")).isNull();
  }

  private static Delivery delivery(int payload) {
    return Delivery.of(KEY).withFingerprint(Fingerprint.raw(new byte[] {(byte) payload}));
  }

  private static void holdsNoSecret(ILoggingEvent event) {
    String text = event.getFormattedMessage();
    if (event.getThrowableProxy() != null) {
      text += ThrowableProxyUtil.asString(event.getThrowableProxy());
    }
    assertThat(text).doesNotContain("ann@example.org").doesNotContain("secret answer");
  }
}
