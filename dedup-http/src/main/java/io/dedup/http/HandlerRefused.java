// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/**
 * A handler cannot be guarded as its annotation and the options have it. Thrown when the
 * application starts; its message names the handler, what was found and what must be there.
 */
public final class HandlerRefused extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  HandlerRefused(String handler, IllegalArgumentException cause) {
    super(handler + ": " + cause.getMessage(), cause);
  }
}
