// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

/**
 * What the bank takes from an account.
 *
 * @param id what makes it this fee
 * @param account whose
 * @param amount in cents
 */
public record Fee(String id, String account, long amount) {}
