// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

/** A document is well-formed, but what was to be read of it is ambiguous. */
final class RefusedJson extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String why;

  RefusedJson(String why) {
    super(why, null, false, false);
    this.why = why;
  }

  String why() {
    return why;
  }
}
