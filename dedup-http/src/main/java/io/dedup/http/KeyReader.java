// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.key.CompositeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the client's key of a request. Thread-safe. */
final class KeyReader {

  /** The longest text that an expression may make, in characters. */
  private static final int EXPRESSION_MAX = 1024;

  private static final ClientKeyLimits TOKENS =
      new ClientKeyLimits(1, ClientKeyLimits.LENGTH_MAX, ClientKeyFormat.ANY);

  private final HttpOptions options;

  KeyReader(HttpOptions options) {
    this.options = options;
  }

  /**
   * Finds the key.
   *
   * @param sentKeys the lines of the header
   */
  ClientKey of(List<String> sentKeys, Operation operation, RequestValues values) {
    RequestExpression expression = operation.key();
    if (expression == null) {
      return header(sentKeys, operation);
    }
    ClientKey made = made(expression.single(values));
    if (operation.keySource() == KeySource.SPEL || !(made instanceof ClientKey.Valid suffix)) {
      return made;
    }
    ClientKey sent = header(sentKeys, operation);
    return sent instanceof ClientKey.Valid key
        ? new ClientKey.Valid(CompositeId.join(List.of(key.text(), suffix.text())))
        : sent;
  }

  private ClientKey header(List<String> sent, Operation operation) {
    return ClientKey.of(sent, operation.issuedToken() ? TOKENS : options.key());
  }

  private static ClientKey made(@Nullable String text) {
    if (text == null) {
      return new ClientKey.Absent();
    }
    boolean wellFormed =
        text.length() <= EXPRESSION_MAX
            && text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
    return wellFormed
        ? new ClientKey.Valid(text)
        : new ClientKey.Invalid("It must be a text of at most " + EXPRESSION_MAX + " characters.");
  }
}
