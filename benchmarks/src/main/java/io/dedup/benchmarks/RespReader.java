// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/** Finds where values of Redis's protocol, versions 2 and 3, begin and end. */
final class RespReader {

  private static final int LINE_ENDS = 2;

  private final StringBuilder line = new StringBuilder();

  /** Values that are still to come until the one at the top is whole. */
  private long open;

  private long skip;

  /** Reads on. Returns how many whole values at the top have begun in these bytes. */
  long read(byte[] bytes, int length) {
    long begun = 0;
    int at = 0;
    while (at < length) {
      if (skip > 0) {
        int step = (int) Math.min(skip, length - at);
        skip -= step;
        at += step;
      } else {
        char next = (char) (bytes[at++] & 0xff);
        if (next != '\n') {
          line.append(next);
        } else {
          begun += end(line.substring(0, line.length() - 1));
          line.setLength(0);
        }
      }
    }
    return begun;
  }

  private long end(String header) {
    long begins = open == 0 ? 1 : 0;
    open = open == 0 ? 0 : open - 1;
    char type = header.charAt(0);
    switch (type) {
      case '$', '=', '!' -> skip = Math.max(size(header), -LINE_ENDS) + LINE_ENDS;
      case '*', '~', '>' -> open += Math.max(size(header), 0);
      case '%' -> open += 2 * Math.max(size(header), 0);
      default -> {
        // a value on one line
      }
    }
    return begins;
  }

  private static long size(String header) {
    long size = Long.parseLong(header.substring(1));
    return size < 0 ? -LINE_ENDS : size;
  }
}
