// SPDX-License-Identifier: Apache-2.0
package io.dedup.claim;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A store before each of whose verbs something happens, or goes wrong; it remembers what it was
 * asked. Thread-safe.
 */
public final class HookedStore {

  private final ClaimStore store;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile Consumer<String> before = verb -> {};

  /** Makes a store over {@code sound}, to which nothing happens yet. */
  public HookedStore(ClaimStore sound) {
    this.store =
        (ClaimStore)
            Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(),
                new Class<?>[] {ClaimStore.class},
                (proxy, verb, arguments) -> {
                  asked.add(verb.getName());
                  before.accept(verb.getName());
                  try {
                    return verb.invoke(sound, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  /** Returns the store. */
  public ClaimStore store() {
    return store;
  }

  /** Lets this happen before each verb, with its name. */
  public void before(Consumer<String> action) {
    this.before = action;
  }

  /** Lets nothing happen any more. */
  public void heal() {
    before(verb -> {});
  }

  /** Lets every verb fail. */
  public void goDown() {
    before(
        verb -> {
          throw new StoreUnavailable("connection refused", null);
        });
  }

  /** Returns the names of the verbs that were asked for, in order. */
  public List<String> asked() {
    return List.copyOf(asked);
  }

  /** Forgets what was asked. */
  public void forgetAsked() {
    asked.clear();
  }
}
