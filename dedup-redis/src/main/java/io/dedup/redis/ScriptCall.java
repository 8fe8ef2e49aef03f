// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One call of a script.
 *
 * @param script the script
 * @param form whether its digest is sent, or its text
 * @param now the time to judge by, in decimal; empty for Redis's own clock
 * @param requests what to do, in this order; on a cluster, to keys of one slot
 */
record ScriptCall(Script script, Form form, byte[] now, List<Request> requests) {

  /** How a script is named. */
  enum Form {
    DIGEST,
    TEXT
  }

  /** Returns calls of the digest, one for each group that {@code group} makes of the requests. */
  static List<ScriptCall> of(
      Script script, byte[] now, List<Request> requests, Function<Request, Object> group) {
    return new ScriptCall(script, Form.DIGEST, now, requests).by(group);
  }

  /** Returns this call with the text of the script. */
  ScriptCall withText() {
    return new ScriptCall(script, Form.TEXT, now, requests);
  }

  /** Returns this call as one for each key: what happens to a key stays in its order. */
  List<ScriptCall> byKey() {
    return by(request -> request.key().hex());
  }

  boolean hasSeveralKeys() {
    return requests.stream().map(request -> request.key().hex()).distinct().count() > 1;
  }

  /** Returns the keys of the requests, and after them the indexes that belong to those. */
  byte[][] keys() {
    List<byte[]> keys = new ArrayList<>(requests.size());
    Map<Integer, byte[]> indexes = new LinkedHashMap<>();
    for (Request request : requests) {
      KeyName key = request.key();
      keys.add(key.bytes());
      if (key.index() != null) {
        indexes.putIfAbsent(key.bucket(), key.index());
      }
    }
    keys.addAll(indexes.values());
    return keys.toArray(byte[][]::new);
  }

  byte[][] arguments() {
    byte[][] arguments = new byte[requests.size() + 1][];
    arguments[0] = now;
    for (int i = 0; i < requests.size(); i++) {
      arguments[i + 1] = requests.get(i).bytes();
    }
    return arguments;
  }

  private List<ScriptCall> by(Function<Request, Object> group) {
    Map<Object, List<Request>> groups = new LinkedHashMap<>();
    for (Request request : requests) {
      groups.computeIfAbsent(group.apply(request), g -> new ArrayList<>()).add(request);
    }
    return groups.values().stream().map(some -> new ScriptCall(script, form, now, some)).toList();
  }
}
