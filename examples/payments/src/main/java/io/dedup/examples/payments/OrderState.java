// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

/** Where an order is. */
public enum OrderState {
  /** Nobody has paid yet. */
  PENDING,
  /** The card company is being asked, or was when the process died. */
  PAYING,
  /** It approved. */
  PAID,
  /** It declined. */
  FAILED
}
