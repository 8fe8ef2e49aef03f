// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

/** What happens where a class calls a guarded method of its own, which no proxy sees. */
public enum SelfCalls {
  /** The application does not start. */
  REFUSE,
  /** A warning is logged when the application starts. */
  WARN,
  /** Nothing. */
  IGNORE
}
