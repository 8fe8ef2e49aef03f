// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

/** A port was free when it was chosen and taken when the server wanted it. */
final class PortTakenException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  PortTakenException(String message) {
    super(message);
  }
}
