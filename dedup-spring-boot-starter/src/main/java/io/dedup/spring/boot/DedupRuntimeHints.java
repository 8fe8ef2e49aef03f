// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Lets native images find the scripts and schemas, and read the topics' configuration. */
final class DedupRuntimeHints implements RuntimeHintsRegistrar {

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    hints.resources().registerPattern("io/dedup/redis/*.lua");
    hints.resources().registerPattern("io/dedup/jdbc/*/*.sql");
    BindableRuntimeHintsRegistrar.forTypes(TopicProperties.class, DedupProperties.class)
        .registerHints(hints);
  }
}
