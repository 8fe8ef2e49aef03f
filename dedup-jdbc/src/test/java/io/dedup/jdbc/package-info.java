// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the store on SQL, on real servers. They know the store contract and nothing of
 * transports.
 */
@NullMarked
package io.dedup.jdbc;

import org.jspecify.annotations.NullMarked;
