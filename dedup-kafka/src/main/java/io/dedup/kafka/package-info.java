// SPDX-License-Identifier: Apache-2.0
/**
 * Kafka: takes keys from records, has each record's effect happen once, and commits offsets only
 * after that is stored. This room knows no store, no database and no framework.
 */
@NullMarked
package io.dedup.kafka;

import org.jspecify.annotations.NullMarked;
