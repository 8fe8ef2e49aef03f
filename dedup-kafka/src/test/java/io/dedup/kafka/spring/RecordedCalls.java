// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The calls of a client, in order, each with the thread it came from. */
final class RecordedCalls {

  /**
   * A call.
   *
   * @param what the method's name, or what a test notes
   */
  record Call(String what, Thread thread) {}

  private final List<Call> calls = new CopyOnWriteArrayList<>();

  void note(String what) {
    calls.add(new Call(what, Thread.currentThread()));
  }

  /** Returns the client, whose calls are noted before they are made. */
  @SuppressWarnings("unchecked") // It has the interfaces that its type stands for.
  <T> T of(Class<? super T> type, T client) {
    return (T)
        type.cast(
            Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> {
                  note(method.getName());
                  try {
                    return method.invoke(client, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }));
  }

  List<String> names() {
    return calls.stream().map(Call::what).toList();
  }

  Call first(String what) {
    return calls.stream().filter(call -> call.what().equals(what)).findFirst().orElseThrow();
  }
}
