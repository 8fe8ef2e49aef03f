// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/** Where in the handling of a request its key is claimed, or its answer replayed. */
public enum ClaimPoint {
  /**
   * Before the handler is called; where annotations of method security apply to it, behind their
   * checks, so that who lost a role is refused and sees no stored answer.
   */
  AUTO,
  /** Before the handler is called, and so before method security. */
  PRE_HANDLE,
  /** By the advisor around the handler, behind method security. */
  ADVISOR
}
