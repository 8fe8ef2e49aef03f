// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Holder;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the replies that the Lua files document. A letter that a verb does not have is {@link
 * StoreCorrupt}.
 */
final class Answers {

  private Answers() {}

  /**
   * Reads a whole reply; fields that cannot be are trouble with the store, not a mistake of the
   * caller.
   */
  static <T> T read(byte[] reply, Function<ByteReader, T> reader) {
    try {
      ByteReader in = new ByteReader(reply);
      T answer = reader.apply(in);
      return in.last(answer);
    } catch (IllegalArgumentException e) {
      throw new StoreCorrupt("reply of Redis: " + e.getMessage());
    }
  }

  static ClaimAnswer claim(ByteReader in) {
    char letter = (char) in.u8();
    return switch (letter) {
      case 'A' -> {
        long token = in.number();
        int attempt = in.i32();
        boolean takenOver = in.flag();
        yield new ClaimAnswer.Acquired(token, attempt, takenOver, in.duration());
      }
      case 'I' -> {
        Duration left = in.duration();
        ClaimRecord record = RecordForm.read(in);
        yield new ClaimAnswer.InProgress(record.owner(), left, record.origin());
      }
      case 'C' -> completed(RecordForm.read(in));
      case 'F' -> {
        ClaimRecord record = RecordForm.read(in);
        String error = record.error() == null ? "" : record.error();
        yield new ClaimAnswer.Failed(error, record.origin());
      }
      case 'D' -> {
        ClaimRecord record = RecordForm.read(in);
        yield new ClaimAnswer.InDoubt(record.owner(), record.token(), record.busyUntil());
      }
      case 'X' -> new ClaimAnswer.Conflict(RecordForm.read(in).fingerprint());
      case 'N' -> new ClaimAnswer.NotIssued();
      case 'Z' -> new ClaimAnswer.Fenced(holder(in));
      case 'L' -> new ClaimAnswer.RequestExpired();
      default -> throw unknown("claim", letter);
    };
  }

  static SettleAnswer settle(ByteReader in) {
    char letter = (char) in.u8();
    return switch (letter) {
      case 'K' -> new SettleAnswer.Applied();
      case 'Z' -> new SettleAnswer.Fenced(holder(in));
      default -> throw unknown("settle", letter);
    };
  }

  static boolean yes(ByteReader in) {
    char letter = (char) in.u8();
    return switch (letter) {
      case 'Y' -> true;
      case 'U' -> false;
      default -> throw unknown("a yes or no", letter);
    };
  }

  static Optional<ClaimRecord> record(ByteReader in) {
    char letter = (char) in.u8();
    return switch (letter) {
      case 'R' -> Optional.of(RecordForm.read(in));
      case '-' -> Optional.empty();
      default -> throw unknown("find", letter);
    };
  }

  /** Reads what a key counts as: a live record's state, or an expired record, or nothing. */
  static Counted counted(ByteReader in) {
    char letter = (char) in.u8();
    return switch (letter) {
      case 'T' -> new Counted(true, State.of(in.u8()));
      case 'E' -> new Counted(true, null);
      case '-' -> new Counted(false, null);
      default -> throw unknown("count", letter);
    };
  }

  /**
   * What a key counts as.
   *
   * @param exists whether there is a record
   * @param state its state, null if it has expired
   */
  record Counted(boolean exists, @Nullable State state) {}

  private static ClaimAnswer completed(ClaimRecord record) {
    return new ClaimAnswer.Completed(
        record.result(), record.origin(), record.token(), record.updated(), record.expires());
  }

  static StoreCorrupt unknown(String verb, char letter) {
    return new StoreCorrupt("reply of Redis to " + verb + ": unknown code " + (int) letter);
  }

  private static Holder holder(ByteReader in) {
    return in.hasMore() ? Holder.of(RecordForm.read(in)) : Holder.nobody();
  }
}
