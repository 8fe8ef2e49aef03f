// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.OnLargeResult;
import io.dedup.OnMissingKey;
import io.dedup.spring.bean.SelfCalls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What can be said under dedup in the application's configuration. The topics, which are named by
 * the user, are {@link DedupTopics}.
 *
 * @param enabled whether anything is set up at all
 * @param store where claims are kept: redis, jdbc, tiered (a database that decides and Redis in
 *     front of it) or memory. By default whichever of redis and jdbc the application has; memory
 *     only if asked for
 * @param owner the name by which others see who has a key; by default the process id and random
 *     letters
 * @param commandTimeout how long a command to the store may take until it counts as unanswered
 * @param keyFormat how stores keep keys: digest, hmac (a digest keyed with key-secret) or readable
 * @param keySecret the secret of key-format hmac, at least 16 bytes; the same in every process, for
 *     as long as keys are kept
 * @param policy how keys are claimed and kept, unless said otherwise for a topic
 * @param redis the store on Redis
 * @param jdbc the store on SQL
 * @param memory the store in the process
 * @param metrics the meters
 * @param kafka the topics
 * @param http the requests
 * @param beans methods of beans that are annotated with Idempotent
 * @param hotKeys what a process remembers of keys that many ask for
 * @param results where answers go that are too large for the record of their key
 */
@ConfigurationProperties("dedup")
public record DedupProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable StoreKind store,
    @Nullable String owner,
    @DefaultValue("10s") Duration commandTimeout,
    @DefaultValue("digest") KeyForm keyFormat,
    @Nullable String keySecret,
    @NestedConfigurationProperty @DefaultValue PolicyProperties policy,
    @DefaultValue Redis redis,
    @DefaultValue Jdbc jdbc,
    @DefaultValue Memory memory,
    @DefaultValue Metrics metrics,
    @DefaultValue Kafka kafka,
    @NestedConfigurationProperty @DefaultValue HttpProperties http,
    @DefaultValue Beans beans,
    @DefaultValue HotKeyMemory hotKeys,
    @DefaultValue Results results) {

  static final String PREFIX = "dedup";

  /** The forms in which stores keep keys. */
  public enum KeyForm {
    /** 16 bytes of SHA-256. */
    DIGEST,
    /** The same, keyed with a secret. */
    HMAC,
    /** The text. */
    READABLE
  }

  /** The secret stays out of logs. */
  @Override
  public String toString() {
    return "DedupProperties[store="
        + store
        + ", keyFormat="
        + keyFormat
        + ", policy="
        + policy
        + "]";
  }

  /**
   * The store on Redis.
   *
   * @param prefix what the names of our keys begin with: 1 to 64 letters, digits and {@code . _ : /
   *     -}
   * @param connectionFactory the bean name of the RedisConnectionFactory, where there are several
   * @param verify whether version, scripts and eviction policy are looked at when the store is
   *     first used, which is at start
   * @param layout how what is done is kept: standard, or compact, which takes a fifth of the memory
   *     and gives up fingerprint, origin and owner (docs/redis-layouts.md); the same in every
   *     process that shares the prefix
   */
  public record Redis(
      @DefaultValue("dedup") String prefix,
      @Nullable String connectionFactory,
      @DefaultValue("true") boolean verify,
      @DefaultValue("standard") Layout layout) {

    /** How what is done is kept. */
    public enum Layout {
      /** Each key with all that its record has. */
      STANDARD,
      /** As entries of pages, without fingerprint, origin and owner. */
      COMPACT
    }
  }

  /**
   * The store on SQL.
   *
   * @param table table or schema.table
   * @param schema what happens to the table at start: validate it, create it if it is missing, or
   *     none, where the first use checks it
   * @param queryTimeout how long a statement may take: whole seconds, up to an hour
   * @param dataSource the bean name of the DataSource, where there are several
   * @param transactionManager the bean name of its PlatformTransactionManager, where there are
   *     several
   * @param identity what Redis in front of the database knows it by, where the database keeps its
   *     own identity to itself; to be changed whenever a standby is promoted or a backup restored
   * @param purge how expired records are removed
   */
  public record Jdbc(
      @DefaultValue("dedup_claim") String table,
      @DefaultValue("validate") Schema schema,
      @DefaultValue("5s") Duration queryTimeout,
      @Nullable String dataSource,
      @Nullable String transactionManager,
      @Nullable String identity,
      @DefaultValue Purge purge) {

    /** What happens to the table at start. */
    public enum Schema {
      /** It is checked. */
      VALIDATE,
      /** It is made if it is missing, and checked. */
      CREATE,
      /** Nothing; its first use checks it. */
      NONE
    }
  }

  /**
   * How expired records are removed from a table.
   *
   * @param enabled whether this process removes them
   * @param grace the time before the first round
   * @param interval the time between rounds
   * @param batchSize how many records a transaction removes at most: 1 to 10000
   * @param roundLimit after how long a round begins no further batch
   */
  public record Purge(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("5m") Duration grace,
      @DefaultValue("1m") Duration interval,
      @DefaultValue("500") int batchSize,
      @DefaultValue("10s") Duration roundLimit) {}

  /**
   * The store in the process.
   *
   * @param maxRecords the most records to keep; it never forgets earlier, and refuses new ones
   */
  public record Memory(@DefaultValue("1000000") int maxRecords) {}

  /**
   * The meters.
   *
   * @param enabled whether a MeterRegistry gets any
   * @param maxSources how many topics and routes have meters of their own; the others share one
   * @param storeKeysInterval how often the keys in the store are counted, which reads all of it; 0
   *     for never, else at least a second
   */
  public record Metrics(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("100") int maxSources,
      @DefaultValue("0s") Duration storeKeysInterval) {}

  /**
   * Methods of beans that are annotated with Idempotent.
   *
   * @param enabled whether they are guarded
   * @param mode lease, transactional or tiered, where the annotation says nothing
   * @param onMissingKey what happens to calls without a key: fail, or process them unguarded
   * @param selfCalls what happens where a class calls a guarded method of its own, which no proxy
   *     sees: refuse to start, warn or ignore
   */
  public record Beans(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("lease") Mode mode,
      @DefaultValue("fail") OnMissingKey onMissingKey,
      @DefaultValue("warn") SelfCalls selfCalls) {}

  /**
   * What a process remembers of keys that many ask for.
   *
   * @param enabled whether it remembers anything. A key that another process reopens, forgets or
   *     forces is answered as done for up to max-age then
   * @param maxAge how long a done key is answered without asking the store: up to a minute, 0 for
   *     never
   * @param busyWindow how long a busy key is answered without asking, and so how often all who wait
   *     for it ask together: up to a second, 0 for never
   * @param maxBytes how much memory answers may take, roughly
   */
  public record HotKeyMemory(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("2s") Duration maxAge,
      @DefaultValue("100ms") Duration busyWindow,
      @DefaultValue("16777216") long maxBytes) {}

  /**
   * Where answers go that are too large for the record of their key.
   *
   * @param limitBytes the bytes up to which an answer stays in the record
   * @param otherwise what a duplicate gets of an answer that is kept nowhere: refuse, or nothing
   *     (keep-nothing)
   * @param store where larger ones are kept: jdbc, or none. A bean of type ResultStore comes first
   * @param table table or schema.table
   * @param schema what happens to the table at start: validate it, create it if it is missing, or
   *     none, where the first use checks it
   * @param maxBytes the bytes that an answer may have which is kept there: 1 to 256 MiB
   * @param queryTimeout how long a statement may take: whole seconds, up to an hour
   * @param purge how expired answers are removed
   */
  public record Results(
      @DefaultValue("65536") int limitBytes,
      @DefaultValue("refuse") OnLargeResult otherwise,
      @DefaultValue("none") Place store,
      @DefaultValue("dedup_result") String table,
      @DefaultValue("validate") Jdbc.Schema schema,
      @DefaultValue("8388608") long maxBytes,
      @DefaultValue("10s") Duration queryTimeout,
      @DefaultValue Purge purge) {

    /** Where large answers are kept. */
    public enum Place {
      /** Nowhere. */
      NONE,
      /** In a table of the database that dedup.jdbc.data-source means. */
      JDBC
    }
  }

  /**
   * What holds for topics.
   *
   * @param defaults the settings of topics that do not say otherwise
   */
  public record Kafka(@NestedConfigurationProperty @DefaultValue TopicProperties defaults) {}
}
