// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.key.IdempotencyKey;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * Makes the key that a store keeps for a request. Tools use it to look up a client's key.
 *
 * <p>The scope names the operation and nothing else, so that logs and meters which show it tell
 * nothing of callers; who it is and what key was sent is in the digest.
 */
public final class RequestKey {

  private static final String VERSION = "1";

  private RequestKey() {}

  /**
   * Returns the key of a request.
   *
   * @param namespace of the application
   * @param caller whose it is
   * @param operation what it does; empty where keys are not kept apart by operation
   * @param clientKey the key that was sent, in its one notation: without quotes
   */
  public static IdempotencyKey of(
      String namespace, Caller caller, String operation, String clientKey) {
    String scope = operation.isEmpty() ? "http" : "http:" + operation;
    byte[] digest =
        digest(
            List.of(
                VERSION,
                namespace,
                caller.tenant(),
                caller.kind(),
                // Nobody's name, so that no user can be called like it.
                caller.id() == null ? "anonymous" : "known:" + caller.id(),
                operation,
                clientKey));
    return IdempotencyKey.of(scope, Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
  }

  /** Returns the SHA-256 of the parts, each behind its length, so that no two lists are equal. */
  static byte[] digest(List<String> parts) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      whole.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      whole.writeBytes(bytes);
    }
    return sha256().digest(whole.toByteArray());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
