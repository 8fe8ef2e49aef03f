// SPDX-License-Identifier: Apache-2.0
package io.dedup.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 without its checked exception. */
final class Sha256 {

  private Sha256() {}

  static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
