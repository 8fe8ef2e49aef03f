// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.claim.ClaimStore;
import java.util.function.Supplier;

/**
 * A store that the application could use: of what kind, and how to get it. Getting it connects.
 *
 * @param kind redis or jdbc
 * @param store gets it, the same each time
 */
record StoreOption(StoreKind kind, Supplier<? extends ClaimStore> store) {}
