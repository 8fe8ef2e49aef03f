// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.util.ArrayList;
import java.util.List;

/** Members as threads of this process. */
final class ThreadMembers implements Members {

  /** The framework's default: completions are stored behind, many together. */
  private static final int MAX_UNSETTLED = 100;

  private final List<Member> members = new ArrayList<>();

  ThreadMembers(Run run, int count) {
    for (int i = 0; i < count; i++) {
      Member member = new Member(run, MAX_UNSETTLED);
      members.add(member);
      member.start();
    }
  }

  @Override
  public void killOne() {
    throw new UnsupportedOperationException("a thread cannot be killed");
  }

  @Override
  public int killed() {
    return 0;
  }

  @Override
  public void check() {
    for (Member member : members) {
      Throwable failure = member.failure();
      if (failure != null) {
        throw new IllegalStateException("a member failed", failure);
      }
    }
  }

  @Override
  public void close() {
    members.forEach(Member::close);
  }
}
