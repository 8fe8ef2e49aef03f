// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a response.
 *
 * @param kind what a duplicate can be answered
 * @param status of the response, 100 to 999
 * @param message of an error that the container rendered, null if there is none
 * @param headers those that may be repeated, in order
 * @param body its bytes; empty where it was not kept
 */
record StoredResponse(
    Kind kind, int status, @Nullable String message, List<Field> headers, byte[] body) {

  /** What a duplicate can be answered. */
  enum Kind {
    /** All of it. */
    WHOLE(0),
    /** Its status, with which the container renders the page of an error again. */
    ERROR(1),
    /** That it is done: its body was streamed, too large, or not to be kept. */
    NO_BODY(2),
    /**
     * Nothing: the handler failed behind its point of no return. The record says done, so that
     * nobody runs it until somebody has looked.
     */
    IN_DOUBT(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** Returns the number that is stored. */
    int code() {
      return code;
    }

    /**
     * Returns the kind with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Kind of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("stored response: was of kind " + code);
    }
  }

  /** A header field. */
  record Field(String name, String value) {}

  StoredResponse {
    headers = List.copyOf(headers);
  }

  /** Returns what is left where the body cannot be kept. */
  StoredResponse withoutBody() {
    return new StoredResponse(Kind.NO_BODY, status, null, headers, new byte[0]);
  }

  /** Returns the first value of a header, null if it was not kept. */
  @Nullable String header(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (Field field : headers) {
      if (field.name().toLowerCase(Locale.ROOT).equals(lower)) {
        return field.value();
      }
    }
    return null;
  }
}
