// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import static io.dedup.claim.ClaimStart.NOW;
import static io.dedup.claim.ClaimStart.RECORDED_LATER;
import static io.dedup.claim.ClaimStart.UNRECORDED;
import static io.dedup.claim.OnLeaseExpired.HOLD;
import static io.dedup.claim.OnLeaseExpired.PROBE;
import static io.dedup.claim.OnLeaseExpired.RERUN;
import static io.dedup.claim.Setting.Happening.BACK_OFF;
import static io.dedup.claim.Setting.Happening.CRASH;
import static io.dedup.claim.Setting.Happening.DELAY;
import static io.dedup.claim.Setting.Happening.FLUSH;
import static io.dedup.claim.Setting.Happening.FLUSH_WITHIN_A_MICROSECOND;
import static io.dedup.claim.Setting.Happening.FORCE;
import static io.dedup.claim.Setting.Happening.ISSUE;
import static io.dedup.claim.Setting.Happening.LATE_COPIES;
import static io.dedup.claim.Setting.Happening.LOSS;
import static io.dedup.claim.Setting.Happening.NOT_AFTER;
import static io.dedup.claim.Setting.Happening.OPERATOR;
import static io.dedup.claim.Setting.Happening.OTHER_MESSAGES;
import static io.dedup.claim.Setting.Happening.PROBE_FAILS;
import static io.dedup.claim.Setting.Happening.PURGE;
import static io.dedup.claim.Setting.Happening.REPORT_FAILURES;
import static io.dedup.claim.Setting.Happening.SLIDE;

import io.dedup.claim.Setting.Happening;
import io.dedup.claim.Setting.Size;
import java.util.List;

/** The worlds that are walked. Where the ttl is above the last tick, nothing expires. */
final class SmallWorlds {

  /** What may happen anywhere. */
  private static final Happening[] ROUGH = {LOSS, CRASH, LATE_COPIES, DELAY};

  private static final Size USUAL = new Size(2, 2, 4, 2, 2);
  private static final Size SHORT = new Size(2, 2, 3, 2, 2);
  private static final Size UNFORGETTING = new Size(2, 2, 4, 5, 2);
  private static final Size LONG = new Size(2, 4, 5, 2, 0);
  private static final Size LONG_UNFORGETTING = new Size(2, 4, 5, 6, 0);

  static final Setting RERUN_MAIN =
      Setting.of("RERUN, three claims", new Size(2, 3, 4, 2, 1), RERUN, NOW, rough(PURGE));
  static final Setting RERUN_LATE =
      Setting.of("RERUN, two troubles", USUAL, RERUN, NOW, rough(PURGE));
  static final Setting RERUN_LONG = Setting.of("RERUN, pauses only", LONG, RERUN, NOW, DELAY);
  static final Setting THREE_WORKERS =
      Setting.of("three workers", new Size(3, 3, 4, 2, 1), RERUN, NOW, CRASH, LATE_COPIES, DELAY);
  static final Setting LIMITED =
      Setting.of("claims with an end", USUAL, RERUN, NOW, rough(NOT_AFTER));
  static final Setting START_UNRECORDED =
      Setting.of("starts unrecorded", SHORT, RERUN, UNRECORDED, rough());
  static final Setting START_LATER =
      Setting.of("starts recorded later", SHORT, RERUN, RECORDED_LATER, rough());
  static final Setting HOLDING = Setting.of("HOLD", UNFORGETTING, HOLD, RECORDED_LATER, rough());
  static final Setting HOLDING_LONG =
      Setting.of("HOLD, pauses only", LONG_UNFORGETTING, HOLD, RECORDED_LATER, DELAY);
  static final Setting HOLDING_NOW =
      Setting.of("HOLD, starts with the claim", new Size(2, 2, 3, 4, 2), HOLD, NOW, rough());
  static final Setting OPERATED =
      Setting.of(
          "HOLD with an operator", new Size(2, 2, 3, 4, 1), HOLD, RECORDED_LATER, rough(OPERATOR));
  static final Setting PROBING =
      Setting.of("PROBE", UNFORGETTING, PROBE, RECORDED_LATER, rough(PROBE_FAILS));
  static final Setting PROBING_LONG =
      Setting.of(
          "PROBE, pauses only", LONG_UNFORGETTING, PROBE, RECORDED_LATER, DELAY, PROBE_FAILS);
  static final Setting PROBING_NOW =
      Setting.of(
          "PROBE, starts with the claim", new Size(2, 3, 4, 5, 0), PROBE, NOW, DELAY, PROBE_FAILS);
  static final Setting FLUSHED = Setting.of("flushes", USUAL, RERUN, NOW, rough(FLUSH));
  static final Setting FLUSHED_AT_ONCE =
      Setting.of(
          "flushes within a microsecond",
          new Size(2, 3, 1, 2, 2),
          RERUN,
          NOW,
          CRASH,
          LATE_COPIES,
          DELAY,
          FLUSH_WITHIN_A_MICROSECOND);
  static final Setting MIXED_UP =
      Setting.of("two messages, one key", SHORT, RERUN, NOW, rough(OTHER_MESSAGES));
  static final Setting FORCED =
      Setting.of(
          "forced claims", new Size(2, 3, 3, 4, 1), RERUN, NOW, CRASH, LATE_COPIES, DELAY, FORCE);
  static final Setting ISSUED_ONLY =
      Setting.of("keys that are handed out", SHORT, RERUN, NOW, rough(ISSUE));
  static final Setting BACKING_OFF =
      Setting.of("failures back off", SHORT, RERUN, NOW, rough(BACK_OFF));
  static final Setting REPORTING =
      Setting.of(
          "failures are reported, done slides", SHORT, RERUN, NOW, rough(REPORT_FAILURES, SLIDE));
  static final Setting CALM =
      Setting.of(
          "calm, though answers get lost",
          new Size(2, 3, 3, 4, 1),
          RERUN,
          NOW,
          LOSS,
          CRASH,
          LATE_COPIES);

  private SmallWorlds() {}

  static List<Setting> all() {
    return List.of(
        RERUN_MAIN,
        RERUN_LATE,
        RERUN_LONG,
        THREE_WORKERS,
        LIMITED,
        START_UNRECORDED,
        START_LATER,
        HOLDING,
        HOLDING_LONG,
        HOLDING_NOW,
        OPERATED,
        PROBING,
        PROBING_LONG,
        PROBING_NOW,
        FLUSHED,
        FLUSHED_AT_ONCE,
        MIXED_UP,
        FORCED,
        ISSUED_ONLY,
        BACKING_OFF,
        REPORTING,
        CALM);
  }

  private static Happening[] rough(Happening... more) {
    Happening[] all = new Happening[ROUGH.length + more.length];
    System.arraycopy(ROUGH, 0, all, 0, ROUGH.length);
    System.arraycopy(more, 0, all, ROUGH.length, more.length);
    return all;
  }
}
