// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the requests to one handler are guarded: its annotation, and the options where that is
 * silent.
 *
 * @param name what was given; empty for method and route pattern
 * @param required whether a request without a key is refused
 * @param scope who shares keys
 * @param sharedScope a scope as other adapters write it; empty for none
 * @param keySource where keys come from
 * @param key the expression for keys, null if they come from the header alone
 * @param policy lease, retention and what becomes of lost workers
 * @param waitFor how long to wait for another with the same key; 0 for not at all
 * @param replay what a repeated request gets
 * @param onReplay what to ask where there is no body to replay, null for nothing
 * @param onStoreFailure what happens when the store is down
 * @param anonymous what happens to callers who are not known
 * @param claimPoint where keys are claimed
 * @param body what of bodies must be the same
 * @param issuedToken whether keys must be tokens
 * @param rules what answers mean
 * @param failureTtl how long nobody may try again after a failure; 0 for no wait
 */
record Operation(
    String name,
    boolean required,
    KeyScope scope,
    String sharedScope,
    KeySource keySource,
    @Nullable RequestExpression key,
    Policy policy,
    Duration waitFor,
    Replay replay,
    @Nullable OnReplay onReplay,
    OnStoreFailure onStoreFailure,
    AnonymousCallers anonymous,
    ClaimPoint claimPoint,
    BodyRule body,
    boolean issuedToken,
    ResultRules rules,
    Duration failureTtl) {

  /**
   * What of a request must be the same.
   *
   * @param kind of the body
   * @param fields expressions, for {@link BodyFingerprint#FIELDS}
   * @param ignored JSON pointers to what may differ
   * @param headers that must be the same
   * @param algorithm the number of fingerprints made so
   */
  record BodyRule(
      BodyFingerprint kind,
      List<RequestExpression> fields,
      Set<String> ignored,
      List<String> headers,
      int algorithm) {}

  /** Whether the key of a request can be found without its header. */
  boolean needsNoHeader() {
    return keySource == KeySource.SPEL;
  }

  /** Returns the name of the operation that a request is for. */
  String nameFor(String method, String pattern) {
    return name.isEmpty() ? method + " " + pattern : name;
  }
}
