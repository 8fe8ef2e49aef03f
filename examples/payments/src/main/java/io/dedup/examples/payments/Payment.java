// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

/**
 * Money that goes from one account to another.
 *
 * @param id what makes it this payment, whichever way it comes
 * @param payer whose account it comes from
 * @param payee whose account it goes to
 * @param amount in cents, above 0
 */
public record Payment(String id, String payer, String payee, long amount) {

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if it is no payment
   */
  public Payment {
    if (id == null || id.isBlank()) {
      throw new IllegalArgumentException("id: was blank, must name the payment");
    }
    if (payer == null || payee == null || payer.equals(payee)) {
      throw new IllegalArgumentException("payer and payee: must be two accounts");
    }
    if (amount <= 0) {
      throw new IllegalArgumentException("amount: was " + amount + ", must be above 0");
    }
  }
}
