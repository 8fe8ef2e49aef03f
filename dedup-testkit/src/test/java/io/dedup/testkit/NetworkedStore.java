// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimRecord;
import io.dedup.claim.ClaimRequest;
import io.dedup.claim.ClaimStore;
import io.dedup.claim.Exchange;
import io.dedup.claim.Resolution;
import io.dedup.claim.SettleAnswer;
import io.dedup.claim.SettleRequest;
import io.dedup.claim.StoreStats;
import io.dedup.claim.StoreUnavailable;
import io.dedup.key.IdempotencyKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store on the other side of a real connection. Thread-safe.
 *
 * <p>Only the number of a call goes over the wire: what is asked and what is answered stay in this
 * JVM, and the network decides whether the call happens and whether its answer comes back.
 */
class NetworkedStore implements ClaimStore {

  private final CallServer server;
  private final int port;
  private @Nullable CallClient client;

  NetworkedStore(CallServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Makes the call, on the connection there is or on a new one; a connection in trouble is given
   * up.
   */
  synchronized <T> T call(Function<ClaimStore, T> question) {
    CallServer.Call<T> call = new CallServer.Call<>(question);
    try {
      if (client == null) {
        client = new CallClient(port);
      }
      client.send(server.register(call));
      return call.answer();
    } catch (IOException e) {
      giveUp();
      return unavailable(question, e);
    }
  }

  <T> T unavailable(Function<ClaimStore, T> question, IOException e) {
    throw new StoreUnavailable("networked store: no reply", e);
  }

  void giveUp() {
    if (client != null) {
      client.close();
      client = null;
    }
  }

  @Override
  public Exchange exchange(List<SettleRequest> settlements, List<ClaimRequest> claims) {
    return call(store -> store.exchange(settlements, claims));
  }

  @Override
  public boolean issue(IdempotencyKey key, Duration ttl) {
    return call(store -> store.issue(key, ttl));
  }

  @Override
  public Map<IdempotencyKey, ClaimRecord> find(Collection<IdempotencyKey> keys) {
    return call(store -> store.find(keys));
  }

  @Override
  public SettleAnswer resolve(
      IdempotencyKey key, long token, Resolution resolution, String who, String why) {
    return call(store -> store.resolve(key, token, resolution, who, why));
  }

  @Override
  public SettleAnswer reopen(IdempotencyKey key, String who, String why) {
    return call(store -> store.reopen(key, who, why));
  }

  @Override
  public boolean forget(IdempotencyKey key) {
    return call(store -> store.forget(key));
  }

  @Override
  public int merge(Map<IdempotencyKey, ClaimRecord> records) {
    return call(store -> store.merge(records));
  }

  @Override
  public long extend(Collection<IdempotencyKey> keys, Duration ttl) {
    return call(store -> store.extend(keys, ttl));
  }

  @Override
  public long extendScope(String scope, Duration ttl) {
    return call(store -> store.extendScope(scope, ttl));
  }

  @Override
  public int purgeExpired(int limit) {
    return call(store -> store.purgeExpired(limit));
  }

  @Override
  public StoreStats stats() {
    return call(ClaimStore::stats);
  }
}
