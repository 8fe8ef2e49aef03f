// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

/** The verbs, each a Lua file, and the letter by which a script knows them. */
enum Verb {
  CLAIM('c', "claim"),
  SETTLE('s', "settle"),
  ISSUE('i', "issue"),
  FIND('f', "find"),
  RESOLVE('v', "resolve"),
  REOPEN('o', "reopen"),
  FORGET('g', "forget"),
  MERGE('m', "merge"),
  EXTEND('x', "extend"),
  PURGE('p', "purge"),
  COUNT('n', "count");

  private final char letter;
  private final String file;

  Verb(char letter, String file) {
    this.letter = letter;
    this.file = file;
  }

  String file() {
    return file;
  }

  /** Returns the beginning of a request. */
  ByteWriter request() {
    return new ByteWriter(letter);
  }
}
