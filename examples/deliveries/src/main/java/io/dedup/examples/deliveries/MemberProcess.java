// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.util.List;

/** A member in a process of its own, which may be killed at any moment. */
final class MemberProcess {

  private MemberProcess() {}

  /**
   * Runs until it is killed, or its standard input ends: so it does not outlive who started it.
   *
   * <p>Each completion is stored before the next effect begins: with a lease, all that a kill may
   * double is what was done and not stored.
   */
  public static void main(String[] arguments) throws Exception {
    try (Member member = new Member(Run.of(List.of(arguments)), 1)) {
      member.start();
      while (System.in.read() >= 0) {
        // Nothing is ever sent.
      }
    }
    System.exit(0);
  }
}
