// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.util.List;

/** A member in a process of its own, which may be killed at any moment. */
final class MemberProcess {

  private MemberProcess() {}

  /** Runs until it is killed, or its standard input ends: so it does not outlive who started it. */
  public static void main(String[] arguments) throws Exception {
    try (Member member = new Member(Run.of(List.of(arguments)))) {
      member.start();
      while (System.in.read() >= 0) {
        // Nothing is ever sent.
      }
    }
    System.exit(0);
  }
}
