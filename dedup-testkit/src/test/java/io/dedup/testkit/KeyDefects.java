// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import static io.dedup.testkit.With.changed;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import io.dedup.key.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Defects of keys: two become one. */
final class KeyDefects {

  private KeyDefects() {}

  static List<Defect> all() {
    return List.of(
        id("trims keys", String::strip),
        id("drops trailing spaces, as a padding collation does", String::stripTrailing),
        id("folds the case of keys", id -> id.toLowerCase(Locale.ROOT)),
        id("normalises keys", id -> Normalizer.normalize(id, Normalizer.Form.NFC)),
        id(
            "normalises keys for compatibility",
            id -> Normalizer.normalize(id, Normalizer.Form.NFKC)),
        id(
            "strips accents",
            id -> Normalizer.normalize(id, Normalizer.Form.NFD).replaceAll("\\p{M}", "")),
        id("ends keys at the first NUL", id -> "k" + id.replaceAll("(?s)\0.*", "")),
        id("drops NULs", id -> "k" + id.replace("\0", "")),
        id("cuts keys at 255 characters", id -> id.length() > 255 ? id.substring(0, 255) : id),
        id(
            "writes keys in Latin-1",
            id ->
                new String(id.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1)),
        id(
            "writes keys without their supplementary characters",
            id -> id.replaceAll("[\\x{10000}-\\x{10FFFF}]", "?")),
        id("takes braces for a hash tag", id -> "k" + id.replaceAll("[{}]", "")),
        id(
            "takes numbers for numbers",
            id -> id.matches("[0-9.]+") ? String.valueOf(Double.parseDouble(id)) : id),
        id(
            "cleans keys of what is no letter or digit",
            id -> "k" + id.replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{S}]", "")),
        new Defect(
            "joins scope and id with a slash",
            "DistinctKeys",
            time -> keys(time, key -> IdempotencyKey.of("all", key.scope() + "/" + key.id()))),
        new Defect(
            "joins scope and id with nothing",
            "DistinctKeys",
            time -> keys(time, key -> IdempotencyKey.of("all", key.scope() + key.id()))),
        new Defect(
            "folds the case of scopes",
            "DistinctKeys",
            time ->
                keys(
                    time,
                    key -> IdempotencyKey.of(key.scope().toLowerCase(Locale.ROOT), key.id()))),
        new Defect(
            "cuts scopes at 255 characters",
            "DistinctKeys",
            time ->
                keys(
                    time,
                    key ->
                        IdempotencyKey.of(
                            key.scope().substring(0, Math.min(255, key.scope().length())),
                            key.id()))));
  }

  private static Defect id(String says, UnaryOperator<String> change) {
    return new Defect(
        says,
        "DistinctKeys",
        time ->
            keys(
                time,
                key -> {
                  String changed = change.apply(key.id());
                  return IdempotencyKey.of(key.scope(), changed.isEmpty() ? "empty" : changed);
                }));
  }

  private static ClaimStore keys(StoreTime time, UnaryOperator<IdempotencyKey> change) {
    return new AlteredStore(time) {
      @Override
      IdempotencyKey key(IdempotencyKey key) {
        return change.apply(key);
      }
    };
  }
}
