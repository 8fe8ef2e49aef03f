// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

/** An outside service that is asked before money moves, and that is sometimes down. */
@FunctionalInterface
public interface RiskCheck {

  /**
   * Lets a payment or fee pass.
   *
   * @throws RuntimeException if it cannot tell now
   */
  void pass(String id);
}
