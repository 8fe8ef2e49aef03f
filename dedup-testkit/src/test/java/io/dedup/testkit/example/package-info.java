// SPDX-License-Identifier: Apache-2.0
/**
 * The example of docs/writing-a-store.md: a whole store, and its contract. It knows what any author
 * of a store can know, and nothing of the testkit's own tests.
 */
@NullMarked
package io.dedup.testkit.example;

import org.jspecify.annotations.NullMarked;
