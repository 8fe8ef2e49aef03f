// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.kafka.topic.TopicIdentity;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that will not be tried again here.
 *
 * @param record the record as it was read, key and value in bytes
 * @param topic the topic it was read from
 * @param group the group that gave up on it
 * @param reason why
 * @param cause what the handler threw, null if it did not run
 * @param detail for people
 */
public record DeadLetter(
    ConsumerRecord<byte[], byte[]> record,
    TopicIdentity topic,
    String group,
    Reason reason,
    @Nullable Throwable cause,
    String detail) {

  /** Why a record became a dead letter. */
  public enum Reason {
    /** The handler failed as often as it may. */
    FAILED,
    /** The handler had failed before, and the policy is to report that. */
    FAILED_BEFORE,
    /** Its key stands for another message. */
    CONFLICT,
    /**
     * A lost worker may have done its effect, and the policy is to hold it until somebody has
     * looked.
     */
    IN_DOUBT,
    /** Too many runs in a row ended without an answer. */
    ATTEMPTS_USED_UP,
    /** Its key was not handed out. */
    NOT_ISSUED,
    /** It has no key, or none that can be read. */
    NO_KEY,
    /** Its key or value could not be deserialized. */
    DESERIALIZATION,
    /**
     * Its key was busy, or the store in trouble, each time a share group delivered it, and it is
     * not delivered any more.
     */
    DELIVERIES_USED_UP
  }
}
