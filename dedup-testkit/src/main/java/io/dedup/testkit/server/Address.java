// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

/** A host and a port. */
record Address(String host, int port) {

  /**
   * Reads {@code host:port}.
   *
   * @throws IllegalArgumentException naming {@code property} if the text is nothing of the kind
   */
  static Address parse(String property, String text) {
    int colon = text.lastIndexOf(':');
    try {
      if (colon > 0) {
        return new Address(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(property + ": was " + text + ", must be host:port");
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
