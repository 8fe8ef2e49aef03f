// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
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

  private TopicReadException explain(String what, String acl, Throwable cause) {
    if (cause instanceof TimeoutException) {
      return noAnswer(what, cause);
    }
    if (cause instanceof AuthorizationException) {
      return new TopicReadException(what + ": not allowed by Kafka, needs the ACL " + acl, cause);
    }
    if (isMissing(cause)) {
      return new TopicReadException(what + ": the topic does not exist", cause);
    }
    return new TopicReadException(what + ": Kafka answered " + cause, cause);
  }

  private TopicReadException noAnswer(String what, Throwable cause) {
    return new TopicReadException(
        what + ": no answer from Kafka within " + timeout + ", check bootstrap.servers", cause);
  }

  static boolean isMissing(Throwable cause) {
    return cause instanceof UnknownTopicOrPartitionException;
  }
}
