// SPDX-License-Identifier: Apache-2.0
/**
 * The claim store and the transactional inbox on SQL, and the application's Spring transactions as
 * the front door sees them. This room knows tables and connections; it knows no transport, no
 * handler and no other store.
 */
@NullMarked
package io.dedup.jdbc;

import org.jspecify.annotations.NullMarked;
