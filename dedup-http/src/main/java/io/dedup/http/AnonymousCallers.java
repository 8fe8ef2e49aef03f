// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

/**
 * What happens to a request with a key whose caller is not known. Anonymous callers share a scope,
 * apart from all others'.
 */
public enum AnonymousCallers {
  /** It is guarded, if its key has at least {@value #KEY_LENGTH_MIN} characters. */
  ALLOW,
  /** It is refused. */
  REJECT,
  /** It runs unguarded. */
  BYPASS;

  /** The shortest key of an anonymous caller, in characters: others must not guess it. */
  public static final int KEY_LENGTH_MIN = 20;
}
