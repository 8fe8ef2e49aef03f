// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.topic;

/**
 * A record is not what its topic's configuration says it is, and will not be on another delivery
 * either: it belongs on the error path. The message describes the fault without quoting the record.
 */
public final class UnreadableRecordException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String where;
  private final String why;

  /**
   * Makes the exception.
   *
   * @param where the place that was looked at, for people
   * @param why what is wrong with it
   */
  public UnreadableRecordException(String where, String why) {
    super(where + ": " + why);
    this.where = where;
    this.why = why;
  }

  /** Returns the place that was looked at, for people. */
  public String where() {
    return where;
  }

  /** Returns what is wrong with it. */
  public String why() {
    return why;
  }
}
