// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

/** What a record keeps of an operator's change. */
public final class AuditNote {

  private AuditNote() {}

  /** Returns the note of {@link ClaimStore#resolve}. */
  public static String resolved(String who, String why) {
    return note("resolved", who, why);
  }

  /** Returns the note of {@link ClaimStore#reopen}. */
  public static String reopened(String who, String why) {
    return note("reopened", who, why);
  }

  private static String note(String what, String who, String why) {
    if (who.isBlank()) {
      throw new IllegalArgumentException("who: was blank, must name the operator");
    }
    if (why.isBlank()) {
      throw new IllegalArgumentException("why: was blank, must give the reason");
    }
    return StoredText.fit(what + " by " + who + ": " + why, Settlement.Fail.ERROR_MAX);
  }
}
