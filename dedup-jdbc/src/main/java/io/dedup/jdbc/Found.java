// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import io.dedup.claim.ClaimRecord;
import java.time.Instant;
import java.util.Map;

/**
 * Records as they were read.
 *
 * @param now the store's time, read when all of them were
 * @param records by key; what is not there has no row, expired ones included
 */
record Found(Instant now, Map<StoredKey, ClaimRecord> records) {}
