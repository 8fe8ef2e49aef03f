// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import java.util.UUID;

/** An outside service that takes money from cards, once for each id. */
@FunctionalInterface
public interface CardCompany {

  /**
   * Charges a card. The same id again is answered as before, and takes nothing.
   *
   * @return whether it approved
   */
  boolean charge(UUID id, String payer, long amount);
}
