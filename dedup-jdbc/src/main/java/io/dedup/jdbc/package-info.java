// SPDX-License-Identifier: Apache-2.0
/**
 * The claim store, the transactional inbox and the store of large results on SQL, guards for the
 * application's own tables, and its Spring transactions as the front door sees them. This room
 * knows tables and connections; it knows no transport, no handler and no other store.
 */
@NullMarked
package io.dedup.jdbc;

import org.jspecify.annotations.NullMarked;
