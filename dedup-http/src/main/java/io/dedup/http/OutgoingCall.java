// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import io.dedup.DedupContext;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Names a call that a handler makes to another service, so that it has the same key each time the
 * handler runs.
 *
 * <pre>{@code
 * restClient.post().uri("https://bank.example/transfers")
 *     .attributes(OutgoingCall.named("transfer").attributes())
 * }</pre>
 *
 * @param name tells the calls of one handler apart; a name and not a number, because a retry may
 *     make them in another order
 * @param index tells apart calls of one name, such as those for the elements of a list
 * @param context of the handler; null for that of the request which this thread handles
 */
public record OutgoingCall(String name, int index, @Nullable DedupContext context) {

  private static final String ATTRIBUTE = OutgoingCall.class.getName();

  /** Checks the name. */
  public OutgoingCall {
    if (name.isBlank()) {
      throw new IllegalArgumentException("call-name: was blank, must name the call");
    }
  }

  /** Returns a call with a name. */
  public static OutgoingCall named(String name) {
    return new OutgoingCall(name, 0, null);
  }

  /** Returns this call with an index. */
  public OutgoingCall withIndex(int value) {
    return new OutgoingCall(name, value, context);
  }

  /** Returns this call, made by a handler that has {@code value}: in a listener, or on a thread. */
  public OutgoingCall under(DedupContext value) {
    return new OutgoingCall(name, index, Objects.requireNonNull(value, "context"));
  }

  /** Returns what marks a request as this call, for {@code attributes} of a client's request. */
  public Consumer<Map<String, Object>> attributes() {
    return attributes -> attributes.put(ATTRIBUTE, this);
  }

  /** Returns the call that a client's request is marked as, null if it is not. */
  static @Nullable OutgoingCall of(Map<String, Object> attributes) {
    return attributes.get(ATTRIBUTE) instanceof OutgoingCall call ? call : null;
  }

  /**
   * Returns the key of this call; null if its handler runs without a claim, so that there is
   * nothing to derive it from.
   */
  @Nullable String key() {
    DedupContext of = context == null ? CurrentRequest.context() : context;
    return of == null ? null : DerivedKey.of(of.key(), name, index);
  }
}
