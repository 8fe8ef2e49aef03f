// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ManualTest {

  @Test
  void theManualHasEveryPropertyAndEverySettingOfATopic() throws IOException {
    String manual = Files.readString(Path.of("..", "docs", "spring-boot.md"));

    assertThat(TopicNames.SETTINGS.all())
        .allSatisfy(setting -> assertThat(manual).contains("| `" + setting + "` |"));
    assertThat(PropertyNames.of(DedupProperties.class).all())
        .filteredOn(name -> !name.startsWith("kafka."))
        .allSatisfy(name -> assertThat(manual).contains("| `dedup." + name + "` |"));
  }
}
