// SPDX-License-Identifier: Apache-2.0
/**
 * The store contract: what every claim store must do, as tests that a store's author runs by
 * writing one subclass. This room knows claims and keys; it knows no particular store, no handler
 * and no transport.
 */
@NullMarked
package io.dedup.testkit;

import org.jspecify.annotations.NullMarked;
