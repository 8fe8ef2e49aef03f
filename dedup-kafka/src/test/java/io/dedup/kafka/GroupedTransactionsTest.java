// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.DedupContext;
import io.dedup.Deduplicator;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.jdbc.JdbcClaimStore;
import io.dedup.jdbc.JdbcInbox;
import io.dedup.jdbc.JdbcSchema;
import io.dedup.jdbc.SpringTransactions;
import io.dedup.key.IdempotencyKey;
import io.dedup.testkit.server.KafkaServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Several records in one database transaction of the plain consumer. */
class GroupedTransactionsTest {

  @RegisterExtension static final ServerExtension<KafkaServer> kafka = Servers.kafka();

  private final AtomicInteger commits = new AtomicInteger();
  private Bench bench;
  private JdbcTemplate sql;
  private ClaimStore store;
  private Deduplicator deduplicator;

  @BeforeEach
  void setUp() {
    bench = new Bench(kafka.get(), 2);
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    JdbcSchema.of(database).createIfMissing();
    sql = new JdbcTemplate(database);
    sql.execute("create table effect (id bigint auto_increment primary key, what varchar(100))");
    JdbcClaimStore claims = JdbcClaimStore.builder(database).build();
    store = claims;
    deduplicator =
        Deduplicator.builder(claims)
            .transactional(
                JdbcInbox.of(claims), SpringTransactions.of(new CountingManager(database, commits)))
            .build();
  }

  @AfterEach
  void tearDown() throws Exception {
    bench.close();
    deduplicator.close();
    sql.execute("shutdown");
  }

  @Test
  void recordsOfSeveralPartitionsShareTransactions() {
    for (int i = 0; i < 60; i++) {
      bench.publish(i % 2, "id-" + i % 50, "v" + i % 50);
    }
    bench.started(consumer(this::insert));
    bench.awaitNoLag();
    assertThat(effects()).hasSize(50).doesNotHaveDuplicates();
    // The first of each partition is alone: it may be what ended the partition's last owner.
    assertThat(commits).hasValueLessThan(20);
  }

  @Test
  void aRecordThatFailsRollsBackItsGroupAndTheOthersAreDoneAllTheSame() {
    for (int i = 0; i < 20; i++) {
      bench.publish(0, "id-" + i, i == 11 ? "bad" : "v" + i);
    }
    bench.started(
        consumer(
            (record, context) -> {
              insert(record, context);
              if (record.value().equals("bad")) {
                throw new IllegalStateException("never");
              }
            }));
    bench.awaitNoLag();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      if (i != 11) {
        expected.add("v" + i);
      }
    }
    assertThat(effects()).containsExactlyElementsOf(expected);
  }

  @Test
  void anErrorIsTheFailureOfItsRecordAndOfNoOtherInItsGroup() {
    for (int i = 0; i < 10; i++) {
      bench.publish(0, "id-" + i, i == 6 ? "deep" : "v" + i);
    }
    bench.started(
        consumer(
            (record, context) -> {
              insert(record, context);
              if (record.value().equals("deep")) {
                throw new StackOverflowError();
              }
            }));
    bench.awaitNoLag();
    assertThat(effects()).containsExactly("v0", "v1", "v2", "v3", "v4", "v5", "v7", "v8", "v9");
  }

  @Test
  void nothingRunsBeforeABusyRecordOfItsPartition() {
    AtomicReference<IdempotencyKey> busy = new AtomicReference<>();
    bench.publish(0, "id-0", "v0");
    bench.started(
        consumer(
            (record, context) -> {
              insert(record, context);
              if (record.value().equals("v0")) {
                busy.set(IdempotencyKey.of(context.key().scope(), "id-2"));
                claimElsewhere(busy.get());
                for (int i = 1; i < 10; i++) {
                  bench.publish(0, "id-" + i, "v" + i);
                }
                bench.publish(1, "other", "other");
              }
            }));
    Bench.awaitUntil(() -> effects().contains("other"));
    assertThat(effects()).contains("v0", "v1").doesNotContain("v3");
    store.forget(busy.get());
    bench.awaitNoLag();
    assertThat(effects())
        .filteredOn(e -> e.startsWith("v"))
        .containsExactly("v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9");
  }

  @Test
  void recordsShareTransactionsOnlyWhereThereAreSome() {
    assertThatThrownBy(() -> bench.consumer().recordsPerTransaction(10).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "records-per-transaction: was 10, must be 1 where the deduplicator is not"
                + " transactional");
    assertThatThrownBy(() -> bench.consumer().recordsPerTransaction(501))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("records-per-transaction: was 501, must be 1 to 500");
  }

  private IdempotentConsumer<byte[], String> consumer(RecordHandler<byte[], String> handler) {
    return bench
        .consumer()
        .deduplicator(deduplicator)
        .recordsPerTransaction(100)
        .handler(handler)
        .build();
  }

  private void insert(ConsumerRecord<byte[], String> record, DedupContext context) {
    sql.update("insert into effect (what) values (?)", record.value());
  }

  private List<String> effects() {
    return sql.queryForList("select what from effect order by id", String.class);
  }

  private void claimElsewhere(IdempotencyKey key) {
    Thread rival =
        new Thread(
            () ->
                store.claim(
                    List.of(
                        ClaimRequest.builder(
                                key, "rival", Duration.ofMinutes(10), Duration.ofDays(1))
                            .build())));
    rival.start();
    try {
      rival.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts what is committed. */
  private static final class CountingManager extends JdbcTransactionManager {
    private static final long serialVersionUID = 1;
    private final transient AtomicInteger commits;

    CountingManager(JdbcDataSource database, AtomicInteger commits) {
      super(database);
      this.commits = commits;
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      super.doCommit(status);
      commits.incrementAndGet();
    }
  }
}
