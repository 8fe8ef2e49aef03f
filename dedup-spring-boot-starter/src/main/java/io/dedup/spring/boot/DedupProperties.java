// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

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
    @NestedConfigurationProperty @DefaultValue HttpProperties http) {

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
   * What holds for topics.
   *
   * @param defaults the settings of topics that do not say otherwise
   */
  public record Kafka(@NestedConfigurationProperty @DefaultValue TopicProperties defaults) {}
}
