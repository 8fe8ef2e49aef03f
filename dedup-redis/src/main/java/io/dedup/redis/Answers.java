// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import io.dedup.claim.ClaimAnswer;
import io.dedup.claim.ClaimRecord;
import io.dedup.claim.Holder;
import io.dedup.claim.Origin;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.State;
import io.dedup.claim.StoreCorrupt;
import io.dedup.claim.StoredResult;
import io.dedup.key.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
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
        Origin origin = in.origin();
        yield new ClaimAnswer.InProgress(in.restAsText(), left, origin);
      }
      case 'C' -> {
        long token = in.number();
        Origin origin = in.origin();
        Instant completed = in.time();
        Instant expires = in.time();
        yield new ClaimAnswer.Completed(result(in), origin, token, completed, expires);
      }
      case 'F' -> {
        Origin origin = in.origin();
        yield new ClaimAnswer.Failed(in.restAsText(), origin);
      }
      case 'D' -> {
        long token = in.number();
        Instant since = in.time();
        yield new ClaimAnswer.InDoubt(in.restAsText(), token, since);
      }
      case 'X' -> {
        int algorithm = in.u8();
        yield new ClaimAnswer.Conflict(new Fingerprint(algorithm, in.i64()));
      }
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

  /**
   * Reads a result, which is all that is left: the length of its content type, the content type,
   * the bytes.
   */
  static @Nullable StoredResult result(ByteReader in) {
    byte[] field = in.rest();
    if (field.length == 0) {
      return null;
    }
    ByteReader parts = new ByteReader(field);
    byte[] contentType = parts.raw(parts.u8());
    return new StoredResult(new String(contentType, StandardCharsets.US_ASCII), parts.rest());
  }

  static StoreCorrupt unknown(String verb, char letter) {
    return new StoreCorrupt("reply of Redis to " + verb + ": unknown code " + (int) letter);
  }

  private static Holder holder(ByteReader in) {
    int state = in.u8();
    long token = in.number();
    String owner = in.restAsText();
    return state == 0 ? Holder.nobody() : new Holder(State.of(state), token, owner);
  }
}
