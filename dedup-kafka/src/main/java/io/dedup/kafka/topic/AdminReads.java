// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Waits for the answers of an {@code AdminClient}, never longer than the time-out, and says what
 * went wrong.
 */
record AdminReads(Admin admin, Duration timeout) {

  static final int TRIES = 10;
  private static final Duration PAUSE = Duration.ofMillis(100);

  AdminReads {
    if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "timeout: was "
              + timeout
              + ", must be PT0.001S to "
              + Duration.ofMillis(Integer.MAX_VALUE));
    }
  }

  int timeoutMs() {
    return (int) timeout.toMillis();
  }

  /**
   * Returns the answer.
   *
   * @param what what is asked for, for people
   * @param acl what a caller needs to be allowed
   */
  <T> T get(KafkaFuture<T> future, String what, String acl) {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicReadException(what + ": interrupted while waiting for Kafka", e);
    } catch (java.util.concurrent.TimeoutException e) {
      throw noAnswer(what, e);
    } catch (ExecutionException e) {
      throw explain(what, acl, e.getCause() == null ? e : e.getCause());
    }
  }

  /**
   * Returns what {@code reading} does, trying again for a second while a topic is missing: a broker
   * hears of a topic a little later than whoever created it, and many applications create their
   * topics as they start.
   */
  <T> T untilKnown(Supplier<T> reading) {
    for (int left = TRIES - 1; ; left--) {
      try {
        return reading.get();
      } catch (TopicReadException e) {
        if (left == 0 || !isMissing(e)) {
          throw e;
        }
        pause(e);
      }
    }
  }

  private static void pause(TopicReadException missing) {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw missing;
    }
  }

  private TopicReadException explain(String what, String acl, Throwable cause) {
    if (cause instanceof TimeoutException) {
      return noAnswer(what, cause);
    }
    if (cause instanceof AuthorizationException) {
      return new TopicReadException(what + ": not allowed by Kafka, needs the ACL " + acl, cause);
    }
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new TopicReadException(what + ": the topic does not exist", cause);
    }
    return new TopicReadException(what + ": Kafka answered " + cause, cause);
  }

  private TopicReadException noAnswer(String what, Throwable cause) {
    return new TopicReadException(
        what + ": no answer from Kafka within " + timeout + ", check bootstrap.servers", cause);
  }

  static boolean isMissing(TopicReadException e) {
    return e.getCause() instanceof UnknownTopicOrPartitionException;
  }
}
