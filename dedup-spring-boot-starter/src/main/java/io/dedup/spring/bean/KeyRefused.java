// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

/** A call has no key, so it does not run: what its expression made was null, blank or no text. */
public final class KeyRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  KeyRefused(String message) {
    super(message);
  }
}
