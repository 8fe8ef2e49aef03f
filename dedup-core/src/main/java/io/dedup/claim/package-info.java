// SPDX-License-Identifier: Apache-2.0
/**
 * Who may work on a key now: the state machine, the contract of a store, and the store in memory
 * that serves as its executable specification. This room knows keys; it knows no handler, no
 * transport and no policy beyond a claim's own.
 */
@NullMarked
package io.dedup.claim;

import org.jspecify.annotations.NullMarked;
