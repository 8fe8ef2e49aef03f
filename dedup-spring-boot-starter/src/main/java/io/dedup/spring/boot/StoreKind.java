// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

/** The stores that can be chosen. */
public enum StoreKind {
  /** Redis, on the application's connection. */
  REDIS,
  /** A table, on the application's {@code DataSource}. */
  JDBC,
  /** A table that decides, and Redis in front of it, which answers for what is done. */
  TIERED,
  /** The process, which forgets when it ends. */
  MEMORY
}
