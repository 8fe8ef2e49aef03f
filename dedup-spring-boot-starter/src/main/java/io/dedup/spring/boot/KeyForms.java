// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.key.KeyFormat;
import java.nio.charset.StandardCharsets;

/** Reads the form in which keys are kept. */
final class KeyForms {

  private KeyForms() {}

  /**
   * Returns the form.
   *
   * @throws ConfigurationRefused if a secret is missing, too short, or set for nothing
   */
  static KeyFormat of(DedupProperties properties) {
    String secret = properties.keySecret();
    boolean keyed = properties.keyFormat() == DedupProperties.KeyForm.HMAC;
    if (!keyed && secret != null) {
      throw ConfigurationRefused.property(
          "dedup.key-secret: was set, must not be unless dedup.key-format is hmac", "", null);
    }
    return switch (properties.keyFormat()) {
      case DIGEST -> KeyFormat.digest();
      case READABLE -> KeyFormat.readable();
      case HMAC -> keyed(secret == null ? "" : secret);
    };
  }

  private static KeyFormat keyed(String secret) {
    try {
      return KeyFormat.hmac(secret.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw ConfigurationRefused.property(
          "dedup.key-secret: must be a secret of at least 16 bytes where dedup.key-format is hmac",
          "",
          e);
    }
  }
}
