// SPDX-License-Identifier: Apache-2.0
/**
 * What there is to know of a topic: its identity, where its records came from, and how long the
 * keys of its records are kept. This room knows nothing of how a key is taken from a record, of
 * claims in progress, or of the poll loop.
 */
@NullMarked
package io.dedup.kafka.topic;

import org.jspecify.annotations.NullMarked;
