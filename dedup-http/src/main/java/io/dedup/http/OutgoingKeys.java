// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * To whom keys are sent. A host that is not named gets none: a key is nobody else's business.
 *
 * @param hosts names, each for all its ports, or name and port with a colon between
 * @param header the request header of the key
 */
public record OutgoingKeys(Set<String> hosts, String header) {

  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  /** Checks both parts. */
  public OutgoingKeys {
    Set<String> lower = new TreeSet<>();
    hosts.forEach(host -> lower.add(host.toLowerCase(Locale.ROOT)));
    if (lower.isEmpty() || lower.contains("") || lower.contains("*")) {
      throw new IllegalArgumentException("hosts: was " + lower + ", must name each host");
    }
    hosts = Set.copyOf(lower);
    Refused.unlessHeaderName("header", header);
  }

  /** Returns keys for these hosts, in {@code Idempotency-Key}. */
  public static OutgoingKeys forHosts(String... hosts) {
    return new OutgoingKeys(Set.of(hosts), "Idempotency-Key");
  }

  /**
   * Returns the key to send with a request, null for none.
   *
   * @param sent whether the caller has set one, which is left as it is
   * @param call what the request is marked as
   */
  @Nullable String keyFor(String method, URI uri, boolean sent, @Nullable OutgoingCall call) {
    if (sent || SAFE.contains(method) || call == null || !isFor(uri)) {
      return null;
    }
    return call.key();
  }

  /**
   * Returns the key to send with a call, for clients that have no interceptor of ours, such as
   * Feign's; empty for none: the host is not named, the method is safe, or there is no claim.
   *
   * @param method of the request
   * @param uri of the request; its host counts
   */
  public Optional<String> keyFor(OutgoingCall call, String method, URI uri) {
    return Optional.ofNullable(keyFor(method, uri, false, call));
  }

  private boolean isFor(URI uri) {
    String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
    return hosts.contains(host) || hosts.contains(host + ":" + uri.getPort());
  }
}
