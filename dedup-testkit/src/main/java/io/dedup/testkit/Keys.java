// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.Claim;
import io.dedup.claim.ClaimAnswer.Acquired;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.Settlement;
import io.dedup.claim.State;
import io.dedup.key.IdempotencyKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys are told apart byte by byte, whatever they hold and however long they are. */
abstract class Keys extends ContractSection {

  private static final int LONG = 1_000_000;

  /** More than stores put into one statement or one round. */
  private static final int MANY = 1_100;

  Keys(ClaimStoreContract contract) {
    super(contract);
  }

  /**
   * Ids that some trimming, folding, normalising, escaping, cutting or parsing would make the same.
   */
  static List<List<String>> confusable() {
    String long600 = "x".repeat(600);
    return List.of(
        List.of("order", "Order", "ORDER", "oRDER"),
        List.of("a", "a ", " a", "a\t", "a\n", "a\u00a0", "a\u200b", "\ufeffa"),
        List.of("\u00e9", "e\u0301", "e", "E\u0301"),
        List.of("\ufb01", "fi", "\u00df", "ss", "SS", "\u0130", "i", "I", "\u0131"),
        List.of("nul", "nul\0", "nul\0\0", "\0nul", "nul\0l", "\0"),
        List.of("1", "01", "1.0", "1e0", "+1", "\"1\"", "\uff11"),
        List.of("a/b", "a%2Fb", "a%2fb", "a:b", "a|b", "a\\b", "a\\\\b", "a~b", "a%b", "a_b"),
        List.of("{a}", "a", "{a", "a}", "{}a", "{a}{b}"),
        List.of("*", "?", "[a]", "a*", "%", "_", "'", "''", "\"", ";", "--", "$1", "?1"),
        List.of("\ud83d\ude00", "\ud83d\ude01", "\ud83d\ude00\ufe0f", "?", "??", "\ufffd"),
        List.of("null", "NULL", "nil", "true", "false", "0", "NaN"),
        List.of(long600, long600 + "y", long600 + "z", long600.substring(1), "X".repeat(600)));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("confusable")
  void keysThatLookAlikeAreDifferentKeys(List<String> ids) {
    List<IdempotencyKey> keys = ids.stream().map(id -> IdempotencyKey.of(scope, id)).toList();
    assertAllDifferent(keys);
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("confusable")
  void keysThatLookAlikeAreFoundApartInOneBatch(List<String> ids) {
    List<IdempotencyKey> keys = ids.stream().map(id -> IdempotencyKey.of(scope, id)).toList();
    for (int i = 0; i < keys.size(); i += 2) {
      acquire(request(keys.get(i), "anna", i));
    }
    store.find(keys);
  }

  @Test
  void manyKeysAreReadAtOnceWithoutThoseThatAreNotThere() {
    assertThat(store.find(List.of())).isEmpty();
    List<IdempotencyKey> keys = IntStream.range(0, MANY).mapToObj(i -> newKey()).toList();
    List<ClaimRequest> claims = new ArrayList<>();
    for (int i = 0; i < MANY; i += 3) {
      claims.add(request(keys.get(i), "anna", i).build());
    }
    store.claim(claims);
    assertThat(store.find(keys)).hasSize(claims.size());
    assertThat(store.find(List.of(keys.get(1), keys.get(2)))).isEmpty();
  }

  @Test
  void aKeyNamedTwiceIsReadOnceAndExpiredOnesAreNot() {
    IdempotencyKey done = newKey();
    IdempotencyKey kept = newKey();
    apply(acquire(request(done, "anna", 1)), DONE);
    apply(acquire(request(kept, "anna", 2)), new Settlement.Complete(RECEIPT, TTL.multipliedBy(2)));
    assertThat(store.find(List.of(kept, done, kept))).containsOnlyKeys(kept, done);
    time.advance(TTL);
    assertThat(store.find(List.of(kept, done, kept))).containsOnlyKeys(kept);
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("confusable")
  void keysThatLookAlikeAreDifferentKeysInOneBatchToo(List<String> ids) {
    List<ClaimRequest> claims =
        ids.stream().map(id -> request(IdempotencyKey.of(scope, id), "anna", 1).build()).toList();
    assertThat(store.claim(claims).claimed())
        .containsOnly(new Acquired(clock(), 1, false, LEASE))
        .hasSize(ids.size());
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("confusable")
  void scopesThatLookAlikeAreDifferentScopes(List<String> names) {
    assertAllDifferent(names.stream().map(name -> IdempotencyKey.of(scope + name, "id")).toList());
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("confusable")
  void aKeyIsFoundAgainByEveryVerb(List<String> ids) {
    for (String id : ids) {
      IdempotencyKey key = IdempotencyKey.of(scope, id);
      assertThat(store.issue(key, TTL)).isTrue();
      Claim claim = acquire(request(key, "anna", 1).requireIssued(true));
      apply(claim, DONE);
      assertThat(store.extend(List.of(key), TTL.multipliedBy(2))).isEqualTo(1);
      assertThat(store.reopen(key, "olga", "again")).isEqualTo(APPLIED);
      assertThat(store.forget(key)).isTrue();
      assertAbsent(key);
    }
  }

  @Test
  void whereTheScopeEndsAndTheIdBeginsMatters() {
    assertAllDifferent(
        Stream.of("", "/", ":", "|", "\0", ",", "%2F", "~", "\\", "}", "|\\")
            .flatMap(
                separator ->
                    Stream.of(
                        IdempotencyKey.of(scope + "a" + separator, "b" + separator + "c"),
                        IdempotencyKey.of(scope + "a" + separator + "b", separator + "c"),
                        IdempotencyKey.of(scope + "a", separator + "b" + separator + "c"),
                        IdempotencyKey.of(scope, "a" + separator + "b" + separator + "c")))
            .distinct()
            .toList());
  }

  @Test
  void anIdMayHaveAMillionCharacters() {
    String filler = "x".repeat(LONG - 1);
    List<IdempotencyKey> keys =
        Stream.of("a" + filler, "b" + filler, filler + "a", filler + "b")
            .map(id -> IdempotencyKey.of(scope, id))
            .toList();
    assertAllDifferent(keys);
  }

  @Test
  void aScopeMayHaveAMillionCharacters() {
    String filler = scope + "x".repeat(LONG);
    IdempotencyKey key = IdempotencyKey.of(filler + "a", "id");
    assertAllDifferent(List.of(key, IdempotencyKey.of(filler + "b", "id")));
    apply(acquire(request(IdempotencyKey.of(filler + "a", "other"), "anna", 1)), DONE);
    assertThat(store.extendScope(filler + "a", TTL.multipliedBy(2))).isEqualTo(2);
    assertThat(record(key).expires()).isEqualTo(time.now().plus(TTL.multipliedBy(2)));
  }

  @Test
  void aLongBatchOfNeighboursIsNotMixedUp() {
    List<ClaimRequest> claims =
        IntStream.range(0, 300)
            .mapToObj(i -> request(IdempotencyKey.of(scope, "n" + i), "owner-" + i, i).build())
            .toList();
    store.claim(claims);
    for (int i = 0; i < 300; i += 37) {
      assertThat(record(IdempotencyKey.of(scope, "n" + i)).owner()).isEqualTo("owner-" + i);
    }
  }

  /** Claims each with an owner of its own, completes each second one, and looks at all of them. */
  private void assertAllDifferent(List<IdempotencyKey> keys) {
    for (int i = 0; i < keys.size(); i++) {
      ClaimRequest request = request(keys.get(i), "owner-" + i, i).build();
      Acquired answer = acquired(request);
      if (i % 2 == 0) {
        store.settle(List.of(new SettleRequest(request.claim(answer.token()), DONE)));
      }
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(record(keys.get(i)).owner()).isEqualTo("owner-" + i);
      assertThat(record(keys.get(i)).state())
          .isEqualTo(i % 2 == 0 ? State.SUCCEEDED : State.PROCESSING);
    }
  }
}
