// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ImageTest {

  private final Properties before = new Properties();

  @BeforeEach
  void rememberProperties() {
    before.putAll(System.getProperties());
    System.clearProperty("dedup.test.servers");
    System.clearProperty("dedup.test.image.redis");
  }

  @AfterEach
  void restoreProperties() {
    System.setProperties(before);
  }

  @Test
  void isNotWantedByDefault() {
    assertThat(Image.REDIS.wanted()).isEmpty();
  }

  @Test
  void isTheOfficialOneWhereContainersAreWanted() {
    System.setProperty("dedup.test.servers", "containers");
    assertThat(Image.REDIS.wanted()).contains("redis:8");
  }

  @Test
  void canBeNamed() {
    System.setProperty("dedup.test.servers", "containers");
    System.setProperty("dedup.test.image.redis", "registry.example/valkey:9");
    assertThat(Image.REDIS.wanted()).contains("registry.example/valkey:9");
  }

  @Test
  void canBeLeftToAProcess() {
    System.setProperty("dedup.test.servers", "containers");
    System.setProperty("dedup.test.image.redis", "embedded");
    assertThat(Image.REDIS.wanted()).isEmpty();
  }

  @Test
  void isRefusedWhereNobodyKnowsWhatIsWanted() {
    System.setProperty("dedup.test.servers", "docker");
    assertThatThrownBy(Image.REDIS::wanted)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dedup.test.servers: was docker, must be embedded or containers");
  }
}
