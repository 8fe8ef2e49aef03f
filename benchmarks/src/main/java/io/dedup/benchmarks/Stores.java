// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/**
 * Where a contender finds its store.
 *
 * @param redis a URI of Redis
 * @param jdbc a URL of PostgreSQL, with user and password
 */
record Stores(String redis, String jdbc) {}
