// SPDX-License-Identifier: Apache-2.0
/**
 * What identifies a Kafka record: the id taken from it, the fingerprint of what it says, and both
 * together with scope and origin. This room knows topics and the core's keys; it knows nothing of
 * claims in progress or of the poll loop.
 */
@NullMarked
package io.dedup.kafka.key;

import org.jspecify.annotations.NullMarked;
