// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.util.EnumMap;
import java.util.Map;

/**
 * The script of each verb; settlements and claims share one, so that an exchange is one call.
 * Thread-safe.
 */
final class Scripts {

  private final Map<Verb, Script> byVerb;

  Scripts(Map<Verb, Script> byVerb) {
    this.byVerb = new EnumMap<>(byVerb);
  }

  /** Returns the scripts that are beside this class. */
  static Scripts load(RedisLayout layout) {
    Map<Verb, Script> scripts = new EnumMap<>(Verb.class);
    for (Verb verb : Verb.values()) {
      scripts.put(verb, Script.of(layout, verb));
    }
    Script exchange = Script.of(layout, Verb.SETTLE, Verb.CLAIM);
    scripts.put(Verb.SETTLE, exchange);
    scripts.put(Verb.CLAIM, exchange);
    return new Scripts(scripts);
  }

  Script of(Verb verb) {
    Script script = byVerb.get(verb);
    if (script == null) {
      throw new IllegalStateException("no script for " + verb);
    }
    return script;
  }
}
