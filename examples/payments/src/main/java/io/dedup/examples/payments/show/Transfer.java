// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

/**
 * Money that has to have moved at the end.
 *
 * @param source what for
 * @param from whose account it comes from
 * @param to whose account it goes to
 * @param amount in cents
 */
record Transfer(String source, String from, String to, long amount) {

  String asPayment() {
    return """
    {"id":"%s","payer":"%s","payee":"%s","amount":%d}\
    """
        .formatted(source, from, to, amount);
  }

  String asInstruction() {
    return """
    {"payer":"%s","payee":"%s","amount":%d}\
    """
        .formatted(from, to, amount);
  }

  String asFee() {
    return """
    {"id":"%s","account":"%s","amount":%d}\
    """
        .formatted(source, from, amount);
  }
}
