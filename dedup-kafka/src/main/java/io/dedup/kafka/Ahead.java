// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

import io.dedup.Ask;
import io.dedup.Claimed;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What is known of a record before it is its turn. */
sealed interface Ahead<K, V> {

  /** Nothing is asked for it: it cannot be read, or has no key. */
  record Decided<K, V>(Disposition disposition) implements Ahead<K, V> {}

  /** It has no key, and runs all the same. */
  record Unguarded<K, V>(ConsumerRecord<K, V> record) implements Ahead<K, V> {}

  /** Its key is to be asked for. */
  record Asked<K, V>(ConsumerRecord<K, V> record, Ask ask) implements Ahead<K, V> {}

  /** Its key was asked for. */
  record Answered<K, V>(ConsumerRecord<K, V> record, Ask ask, Claimed claimed)
      implements Ahead<K, V> {}
}
